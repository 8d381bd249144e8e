"""cirulla_ai"""
