// The page's words in English; it.js has the same keys.  What all front ends say is not here.

export default {
  // --- getting about
  menu: "Menu", new_game: "New game", games_are: "Games", records_are: "Records", position_is: "Analyse", settings_are: "Settings",
  help_is: "Help", close: "Close", cancel: "Cancel", again: "Try again", went_wrong: "That went wrong", or: "or", yes: "yes", no: "no",
  connection_lost: "The server can't be reached. Trying again…",
  // --- the table
  actions: "Actions", dealer_letter: "D", partner_is: "partner", thinks: "thinking…", shows: "shows {cards}", pile_of: "Pile of {who}: {cards}",
  sweeps_n: "{n} sweeps", hand_is: "Your hand", is_shown: "shown", takes: "takes {cards}", takes_all: "takes {cards}, a sweep",
  takes_none: "takes nothing", hands_on: "to be handed on", ways_n: "{n} ways", empty_table: "The table is empty", round_of: "Round {n} of {all}",
  to_target: "to {n}", until: "until somebody has {n}", you_deal: "You deal.", who_deals: "{who} deals.",
  your_pass: "Choose a card to hand on to your right", your_claim: "Do you knock", turn_of: "{who} is to play",
  choose_cards: "What does the {card} take? Choose on the table.", lay_it: "Lay it down", no_claim: "Don't knock",
  knock_for: "Knock{cards}: {points}", knock_as: "{matta} as {value}: {points}", knock_one: "Knock, {matta} as {value}: {points}",
  claim_first: "First say whether you knock.", not_now_card: "The {card} can't be played now.",
  engine_failed: "An engine has failed: {message}", try_again_is: "Let it try again",
  // --- actions
  take_back: "Take back", more: "More", next_smazzata: "Next deal", score_sheet: "Score sheet", review: "Review", match_over: "The match is over",
  thinking: "Thinking…", suit_missing: "a suit is missing", thirds_n: "{n} thirds",
  stock_is: "Still to be dealt: {cards}", taken_is: "{cards} taken",
  // --- the panel
  panel: "Score, thoughts and log", score_is: "Score", now_is: "so far", cards_are: "Cards", match_is: "Match", last_sheet: "The last score sheet",
  more_is: "This game", save_record: "Save the record", analyse_this: "Analyse this position", rules_are: "Rules: {rules}",
  taken_back_n: "Taken back in this deal: {n}", log_is: "What was played", thoughts: "What the engine thinks", thoughts_live: "Show it while I think",
  thoughts_off: "Off. It knows no more than you do.", thinks_on_turn: "When it is your turn.", play_is: "Play", points_are: "Points", exact_is: "exact",
  reviewing: "Looking through every decision. This takes a little while.", own_tab: "In a tab of its own",
  // --- help
  help_pointer: "Click a card, or drag it to the table. Point at it first, and what it takes is raised.",
  help_several: "Where it could take one thing or another, click the card, then the cards on the table, or one of the buttons below.",
  help_claim: "Where you can knock (three alike, or nine or less) the buttons below the table offer it, with what it scores.",
  key_numbers: "play a card of your hand", key_arrows: "walk among cards; up and down between hand and table", key_tab: "from part to part",
  key_escape: "undo a choice that is half made", key_hint: "hint", key_back: "take back", key_info: "say what is on the table", key_log: "open the side panel",
  key_next: "deal the next hand", key_help: "this help",
  // --- a new game
  which_game: "Game", for_players: "For {n}", all_options: "Rules of your table", changed_n: "{n} changed", who_deals_is: "First dealer",
  dealer_last: "as usual (the last seat)", seed_is: "Seed of the deals", seed_help: "Leave it empty for a shuffle that nobody knows.",
  seed_wrong: "The seed is a whole number.", sit_down: "Sit down and play", you_seat: "Your seat", other_seat: "The other seat", right_seat: "On your right",
  left_seat: "On your left", partner_seat: "Your partner, opposite", me: "me", guest: "somebody with a link", guest_help: "You get a link to send.",
  level_full: "Level 20: the full engine", level_none: "Level 0: a beginner", own_tables: "Tables of your own", table_name: "Name", keep_table: "Keep these rules",
  copy_link: "Copy the link", copied: "Copied", link_is: "These rules as a link:", forget: "Forget {name}",
  links_are: "Links for the others", links_help: "Each link is good for one seat of this game. Send it to whoever is to sit there.", seat_n: "Seat {n}", to_table: "To the table",
  table_and_deal: "Table and deal", captures: "Captures", claims_are: "Knocking", matta_is: "The wild seven", first_table: "The first table", score_items: "What scores",
  // --- games
  no_games: "No games yet.", of_games: "{n} of {count} games", throw_away: "Throw this game away?", throw_away_is: "Throw away",
  stage_playing: "being played", stage_between: "between two deals", stage_over: "over",
  // --- records
  records_help: "Read the record of a game, walk through it with the arrow keys, and have it judged.", record_file: "A file", record_text: "Or its text",
  read_it: "Read it", no_record: "There is no record in this.", which_smazzata: "Deal", at_start: "The beginning", at_end: "The end", step_back: "Back", step_on: "On",
  new_cards: "New cards.", analyse: "Analyse", make_review: "Make a review", save_review: "Save the review, a page by itself",
  // --- positions
  by_hand: "Set up with cards", by_hand_help: "Two players; you are to play. Choose where to put cards, then click them. What you don't place is unseen.",
  put_where: "Put into", place_hand: "your hand", place_table: "the table", place_mine: "your pile", place_theirs: "the other's pile",
  round_is: "Round", others_cards: "Cards in the other's hand", scopa_is: "Sweeps and knocks, you/other", scores_are: "Match, you/other",
  state_is: "The position as text", state_help: "Made from the cards above; or paste one.", nothing_to_play: "There is nothing to decide here.",
  play_from_here: "Play on from here", to_move: "to play",
  // --- settings
  language_is: "Language", theme_is: "Colours", theme_auto: "as the system", theme_light: "light", theme_dark: "dark", deck_is: "Suits", deck_two: "two colours",
  deck_four: "four colours", suits_are: "Deck", suits_french: "hearts, diamonds, clubs, spades", suits_latin: "cups, coins, batons, swords",
  coach_is: "Coach", coach_help: "A word after a play of yours that loses much, and why.", threshold_is: "The coach speaks up from so many points on",
  sound_is: "The sound of a knock", keys_are: "Keys for letters and numbers", keys_help: "Off, only Tab, arrows, Enter and Escape mean anything.",
  // --- what options are called; their help is the server's
  names: { players: "Players", rounds: "Cards in each round", table_size: "Cards on the first table", target: "Match to", capture_equal: "Equal value",
    capture_sum: "Sums", capture_15: "Fifteen", ace_sweep: "The ace takes all", ace_choice: "An ace that sweeps", capture_choice: "Equal or sum",
    must_capture: "Must capture", last_scopa: "A sweep with the last card", matta: "Wild card", matta_table: "Wild on the first table", matta_memory: "It stays what it was declared",
    bonus_15: "First table of 15", bonus_30: "First table of 30", bonus_9: "First table of 9 or less", misdeal_aces: "Misdeal by aces", misdeal_three: "Misdeal by three alike",
    misdeal_first: "Misdeal before bonus", misdeal_loss: "Misdeals that lose", table_four: "Four alike on the first table", claim: "Knocking", claim_three: "Three alike",
    claim_low: "Nine or less", claim_royal: "Court of diamonds in hand", claim_time: "When to knock", claim_best: "Only the best scores", claim_play: "In large hands",
    points_cards: "Most cards", points_diamonds: "Most diamonds", points_settebello: "Sette bello", points_primiera: "Primiera", piccola_max: "Small run up to",
    grande: "Big run", grande_extend: "A longer big run", cappotto: "All ten diamonds" },
  options: {},
  choices: { "ace_sweep=no_ace": "where no ace lies there", "ace_sweep=always": "always", "ace_choice=free": "may take less", "ace_choice=sweep": "has to sweep",
    "capture_choice=free": "any", "capture_choice=single": "no sum where there is an equal", "capture_choice=fewest": "the fewest cards",
    "matta_memory=captured": "until captured", "matta_memory=round": "for the round", "matta_memory=no": "only in the claim",
    "table_four=natural": "win, as printed", "table_four=win": "win, the wild card too", "claim=optional": "if you like", "claim=mandatory": "you have to",
    "claim=no": "nobody does", "claim_time=turn": "on one's turn", "claim_time=round": "before the first card", "claim_play=first": "shown cards first", "claim_play=free": "in any order" },
  amounts: {}, presets: {},
  players: { random: "plays anything", greedy: "greedy", careful: "careful", exact: "exact at the end", rule: "by rules of thumb", flat: "tries out" },
};
