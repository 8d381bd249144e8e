// Three taps of knuckles on wood.

export function knock() {
  const context = new AudioContext();
  for (const at of [0, 0.12, 0.24]) {
    const tone = context.createOscillator(), volume = context.createGain();
    tone.frequency.setValueAtTime(180, context.currentTime + at);
    tone.frequency.exponentialRampToValueAtTime(60, context.currentTime + at + 0.06);
    volume.gain.setValueAtTime(0.4, context.currentTime + at);
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + at + 0.08);
    tone.connect(volume).connect(context.destination);
    tone.start(context.currentTime + at);
    tone.stop(context.currentTime + at + 0.1);
  }
  setTimeout(() => context.close(), 500);
}
