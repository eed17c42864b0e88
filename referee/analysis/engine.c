/* The engine of the analysis: what a position is worth when every card is known and all play their best.
 *
 * The method
 * ----------
 * Two sides: "we" want as many points as can be had, "they" want us to have few. The search tries each card
 * of the seat whose turn it is and takes the best for that seat; so it looks at every line of play that
 * matters. Five ideas make that quick enough for six tricks in less than a thousandth of a second:
 *
 * 1. Questions with two answers. Instead of "how much?" the search asks "do we get at least `need`?"
 *    Such a question is settled by one good card, and the others need no look. Its answer is a bound: at
 *    least `need` means "so much or more", below it "so much or less". `exactly` asks with one `need` after
 *    another until the bounds meet (MTD(f) with fail-soft bounds).
 * 2. A table of positions. Many lines of play lead to the same cards in the same hands before the same
 *    lead. What was found out about such a position is kept under a key that is exact, not a mere hash.
 * 3. Closing up. Which small cards are gone does not matter, only in which order those that are left lie.
 *    So the key counts ranks that are worth the same from the lowest of them up, without gaps. While a stock
 *    lasts this would be wrong: cards that come from it fit into the gaps.
 * 4. Neighbours. Of cards in one hand that are worth the same, with no live card between them, one is tried.
 * 5. Sure points. The strongest trumps, as long as one side holds them, are won by that side whatever
 *    happens; often they alone settle the question.
 *
 * The program uses no library and no memory but its own, and it counts its work in nodes (cards tried in
 * turn), never in time: one question has one answer on every machine. It becomes engine.wasm, the same bytes
 * for Python and for a browser (`make engine`).
 *
 * Cards are those of referee/rules/cards.py: suit * 12 + place, from dos (0) to as (11); sets of cards are
 * masks over them. Where the caballo is higher than the sota, the two places are exchanged on the way in and
 * on the way out, so that inside "stronger in the suit" is always "higher number". Seats are 0, 1, 2, 3 in
 * order of play; with four players those of equal parity are partners.
 */
typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;

enum { SEATS = 4, SUITS = 4, RANKS = 12, CARDS = 48, MOST_STOCK = 36, NOBODY = 255 };
enum { UNKNOWN = -9999, LOWEST = -1000, HIGHEST = 1000 };
enum { CABALLO = 7, SOTA = 8, REY = 9, TRES = 10 };

/* Options of play, as bits of sheet.law: the duties, the order of the figures, when it may be sung. */
enum law {
    BEAT_PARTNER = 1,
    TRUMP_PARTNER = 2,
    BEAT_AFTER_TRUMPED = 4,
    OVERTRUMP = 8,
    UNDERTRUMP = 16,
    CABALLO_OVER_SOTA = 32,
    SING_BEFORE_DRAW = 64,   /* whoever has drawn sings no more */
    SING_BEFORE_SWAP = 128,  /* whoever has swapped sings no more */
    SING_AFTER_ANY_TRICK = 256, /* a side that won any trick may sing, not only the last one's taker */
};

/* The sheet between host and engine: the host writes the question, the engine the answer.
 * engine.py and engine.js have the same list; the tests compare all three. */
struct sheet {
    u64 hand[SEATS];     /* cards held now, without those of the open trick */
    u64 lawful;          /* answer of prices(): cards that the seat to play may lay */
    u32 most_nodes;      /* the question is given up after so many */
    u32 nodes;           /* answer: nodes used */
    short price[CARDS];  /* answer of prices(): value after each card that the seat to play holds */
    u8 points[RANKS];    /* points of each rank; all 0 where tricks are counted */
    u8 cante[4];         /* what a 20 and a 40 of ours add, and what a 20 and a 40 of theirs take away */
    u8 trick[SEATS];     /* cards of the open trick in order of play */
    u8 sung_by[SEATS];   /* cantes of each seat since the last trick was taken */
    u16 law;             /* bits of enum law */
    u8 players, leader, trump, laid; /* leader and number of cards of the open trick */
    u8 per_player, per_side; /* cantes for a trick won; 0 a player: none at all; 0 a side: no limit */
    u8 sings_in_arrastre;
    u8 sung;             /* bit s: suit s is sung */
    u8 won;              /* bit n: the n-th side (A, B, C) has won a trick */
    u8 gap_open;         /* 1: what may be sung after the last trick may still be sung now */
    u8 ours;             /* bit s: what seat s wins is ours */
    u8 with_us;          /* bit s: seat s plays for us. As `ours`, except where a claim is judged */
    u8 last_trick;       /* points of the last trick */
    u8 per_trick;        /* points of each trick besides its cards: 1 where tricks are counted */
    u8 swapper;          /* seat that may still swap the pinta, or NOBODY */
    u8 swap_card;        /* the card that it would give for it */
    u8 stock_size;       /* 0: arrastre. Else the stock is known, and the duties rest until it is gone */
    u8 stock[MOST_STOCK]; /* in order of drawing, the pinta last */
    u8 winner;           /* answer of lay(): the seat whose card wins the trick */
};
static struct sheet sheet;

/* ---- the position under search ------------------------------------------------------------------ */

static u64 hand[SEATS], stock_mask;
static u8 stock[MOST_STOCK], offered; /* offered: the card that may be given for the pinta */
static int leader, stock_left, tricks_left, sung, won, swapped;
static int rest;                              /* points still to be won, those of the open trick too */
static int worth[CARDS], class_of[RANKS];     /* class: the lowest of neighbouring ranks that are alike */
static u32 power5[RANKS];
static u32 nodes;
static int stopped;                           /* the nodes did not suffice: every answer is void */
static int is_race, lag;                      /* a race: what they still need is `rest + lag - need` */

/* The open trick: what the duties and the taker depend on. */
struct trick {
    int count, points;
    int best, best_seat;  /* the card that wins, and whose it is */
    int high;             /* the strongest card of the suit led */
    u64 cards;
};

static inline u64 bit(int card) { return 1ULL << card; }
static inline int lowest(u64 cards) { return __builtin_ctzll(cards); }
static inline int highest(u64 cards) { return 63 - __builtin_clzll(cards); }
static inline int suit_of(int card) { return (u32)card / RANKS; }
static inline int rank_of(int card) { return (u32)card % RANKS; }
static inline u64 suit_mask(int suit) { return 0xFFFULL << suit * RANKS; }
static inline int rank_of_sota(void) { return sheet.law & CABALLO_OVER_SOTA ? CABALLO : SOTA; }
static inline u64 pair_of(int suit) { return (bit(REY) | bit(rank_of_sota())) << suit * RANKS; }
static inline u64 above(int card) { return suit_mask(suit_of(card)) & ~((2ULL << card) - 1); }
static inline u64 in_hands(void) { return hand[0] | hand[1] | hand[2] | hand[3]; }
static inline int is_ours(int seat) { return sheet.ours >> seat & 1; }
static inline int is_with_us(int seat) { return sheet.with_us >> seat & 1; }
static inline int sides(void) { return sheet.players == 3 ? 3 : 2; }
static inline int side_of(int seat) { return sheet.players == 4 ? seat & 1 : seat; }
static inline int better(int a, int b, int for_us) { return for_us ? a > b : a < b; }
static inline int seat_after(int seat, int steps)
{
    int next = seat + steps;
    return next >= sheet.players ? next - sheet.players : next;
}

/* The trick with one card more. */
static struct trick with(struct trick trick, int card, int seat)
{
    if (trick.count == 0) {
        trick.best = trick.high = card;
        trick.best_seat = seat;
    } else {
        int suit = suit_of(card);
        if (suit == suit_of(trick.high) && card > trick.high) trick.high = card;
        if (suit == suit_of(trick.best) ? card > trick.best : suit == sheet.trump) {
            trick.best = card;
            trick.best_seat = seat;
        }
    }
    trick.count++;
    trick.points += worth[card];
    trick.cards |= bit(card);
    return trick;
}

/* ---- which cards are worth a try ---------------------------------------------------------------- */

/* Cards that break no duty; referee/rules/duties.py is the law, docs/law/duties.md its explanation. */
static u64 lawful(u64 held, const struct trick *trick, int seat)
{
    if (trick->count == 0 || stock_left) return held;
    int is_partner = side_of(trick->best_seat) == side_of(seat);
    int is_trumped = suit_of(trick->best) == sheet.trump && suit_of(trick->high) != sheet.trump;
    u64 follow = held & suit_mask(suit_of(trick->high));
    if (follow) {
        if (is_partner && !(sheet.law & BEAT_PARTNER)) return follow;
        if (is_trumped && !(sheet.law & BEAT_AFTER_TRUMPED)) return follow;
        u64 higher = follow & above(trick->high);
        return higher ? higher : follow;
    }
    u64 trumps = held & suit_mask(sheet.trump);
    if (!trumps) return held;
    if (is_partner) return sheet.law & TRUMP_PARTNER ? trumps : held;
    if (!is_trumped) return trumps;
    u64 higher = trumps & above(trick->best);
    if (higher) return sheet.law & OVERTRUMP ? higher : trumps;
    return sheet.law & UNDERTRUMP ? trumps : held;
}

/* Of neighbours that are worth the same only the lowest; `live`: cards that can still come between. */
static u64 distinct(u64 moves, u64 live)
{
    u64 kept = moves;
    for (u64 todo = moves; todo; todo &= todo - 1) {
        int card = lowest(todo);
        u64 weaker = live & suit_mask(suit_of(card)) & (bit(card) - 1);
        if (!weaker) continue;
        int next = highest(weaker);
        if (moves >> next & 1 && class_of[rank_of(next)] == class_of[rank_of(card)]) kept &= ~bit(card);
    }
    return kept;
}

/* How early a card is tried: the better the first card, the fewer others are looked at. The weights were
 * found by descent on the nodes of 300 random deals; they change no answer. */
static int promise(int card, const struct trick *trick, int seat)
{
    int rank = rank_of(card), is_trump = suit_of(card) == sheet.trump, points = worth[card];
    if (trick->count == 0) return 7 * points + 3 * rank - 37 * is_trump - 12 * (rank == TRES);
    int wins = suit_of(card) == suit_of(trick->best) ? card > trick->best : is_trump;
    int is_friend = is_ours(trick->best_seat) == is_with_us(seat);
    if (trick->count + 1 == sheet.players) {
        if (!wins) return is_friend ? 47 + points : -4 * points - 8 * rank;
        return is_friend ? 41 + points - 3 * is_trump : 100 + trick->points + points - 6 * is_trump;
    }
    if (wins && !is_friend) return 60 + 10 * points - rank - 5 * is_trump;
    return is_friend ? 20 - 9 * points + 20 * rank : -3 * points - rank - 3 * is_trump;
}

/* The cards to try, the most promising first; `hint` before all. Returns how many. */
static int ordered(u64 moves, const struct trick *trick, int seat, int hint, int *cards)
{
    int promises[RANKS * SUITS], count = 0;
    for (; moves; moves &= moves - 1) {
        int card = lowest(moves), at = count++;
        int promised = card == hint ? HIGHEST : promise(card, trick, seat);
        for (; at && promises[at - 1] < promised; at--) {
            cards[at] = cards[at - 1];
            promises[at] = promises[at - 1];
        }
        cards[at] = card;
        promises[at] = promised;
    }
    return count;
}

/* ---- the search: cards -------------------------------------------------------------------------- */

static int best_card(struct trick trick, int need, int hint, int *chosen);
static int trick_taken(struct trick trick, int need);

/* Our points from here if the seat whose turn it is lays this card. */
static int after_card(struct trick trick, int card, int need)
{
    int seat = seat_after(leader, trick.count);
    hand[seat] ^= bit(card);
    trick = with(trick, card, seat);
    int value = trick.count < sheet.players ? best_card(trick, need, NOBODY, 0) : trick_taken(trick, need);
    hand[seat] ^= bit(card);
    return value;
}

/* Our points from here, the open trick included, with best play of all. */
static int best_card(struct trick trick, int need, int hint, int *chosen)
{
    if (++nodes > sheet.most_nodes) {
        stopped = 1;
        return 0;
    }
    int seat = seat_after(leader, trick.count), for_us = is_with_us(seat);
    u64 moves = distinct(lawful(hand[seat], &trick, seat), trick.cards | stock_mask | in_hands());
    int cards[RANKS * SUITS], count = ordered(moves, &trick, seat, hint, cards);
    int value = for_us ? LOWEST : HIGHEST;
    for (int i = 0; i < count && (for_us ? value < need : value >= need); i++) {
        int found = after_card(trick, cards[i], need);
        if (stopped) return 0;
        if (better(found, value, for_us)) {
            value = found;
            if (chosen) *chosen = cards[i];
        }
    }
    return value;
}

/* ---- the search: between two tricks --------------------------------------------------------------- */

/* Suits that each seat may sing, and how many it has sung before since the trick was taken. */
struct songs { u8 may[SEATS], before[SEATS]; };

static int before_lead(int need);
static int sing(struct songs songs, int turn, struct trick trick, int card, int need);

static int cantes_are_allowed(void) { return sheet.per_player && (stock_left || sheet.sings_in_arrastre); }

static int may_side_sing(int side)
{
    return sheet.law & SING_AFTER_ANY_TRICK ? won >> side & 1 : side == side_of(leader);
}

/* Add what may be sung with the cards now in hand. */
static void find_songs(struct songs *songs)
{
    if (!cantes_are_allowed()) return;
    for (int seat = 0; seat < sheet.players; seat++) {
        if (!may_side_sing(side_of(seat))) continue;
        for (int suit = 0; suit < SUITS; suit++) {
            int holds = (hand[seat] & pair_of(suit)) == pair_of(suit);
            if (holds && !(sung >> suit & 1)) songs->may[seat] |= 1 << suit;
        }
    }
}

/* Each seat takes its next card of the stock, or, `back`, gives it back. */
static void draw(int back)
{
    int first = sheet.stock_size - stock_left - (back ? sheet.players : 0);
    for (int i = 0; i < sheet.players; i++) {
        hand[seat_after(leader, i)] ^= bit(stock[first + i]);
        stock_mask ^= bit(stock[first + i]);
    }
    stock_left += back ? sheet.players : -sheet.players;
}

/* Who has won the race, if we still need so many: 1 we, -1 they, 0 nobody yet, or there is none. */
static int race_won(int need)
{
    if (!is_race) return 0;
    return need <= 0 ? 1 : rest + lag <= need ? -1 : 0;
}

/* Our points from a trick that everybody has played to: its own, and what comes after. */
static int trick_taken(struct trick trick, int need)
{
    int led = leader, all = rest, won_before = won, has_stock = stock_left > 0;
    int gain = trick.points + sheet.per_trick + (tricks_left == 1 ? sheet.last_trick : 0);
    int ours = is_ours(trick.best_seat) ? gain : 0;
    leader = trick.best_seat;
    won |= 1 << side_of(leader);
    rest -= gain;
    tricks_left--;
    int value = ours, won_by = race_won(need - ours);
    if (won_by < 0) value = need - 1;
    if (tricks_left && !won_by) {
        struct songs songs = {{0}, {0}};
        find_songs(&songs);
        if (has_stock) draw(0);
        if (has_stock && !(sheet.law & SING_BEFORE_DRAW)) find_songs(&songs);
        value += sing(songs, 0, (struct trick){0}, NOBODY, need - ours);
        if (has_stock) draw(1);
    }
    tricks_left++;
    rest = all;
    won = won_before;
    leader = led;
    return value;
}

/* What a cante changes for us: half of it in most questions, since one of theirs is our loss. */
static int worth_of_song(int suit, int ours)
{
    int worth_of = sheet.cante[(ours ? 0 : 2) + (suit == sheet.trump)];
    return ours ? worth_of : -worth_of;
}

static int worth_of_songs(int suits, int ours)
{
    int sum = 0;
    for (int suit = 0; suit < SUITS; suit++)
        if (suits >> suit & 1) sum += worth_of_song(suit, ours);
    return sum;
}

/* All that the seats of a side may sing. */
static int songs_of(const struct songs *songs, int side)
{
    int any = 0;
    for (int seat = side; seat < sheet.players; seat += sides()) any |= songs->may[seat];
    return any;
}

/* Whether a side keeps within the limits if it sings these suits. */
static int within_limits(const struct songs *songs, int side, int suits)
{
    int of_side = __builtin_popcount(suits);
    if (!suits) return 1;
    for (int seat = 0; seat < sheet.players; seat++) {
        if (side_of(seat) != side) continue;
        int of_seat = __builtin_popcount(songs->may[seat] & suits);
        of_side += songs->before[seat];
        if (of_seat && of_seat + songs->before[seat] > sheet.per_player) return 0;
    }
    return !sheet.per_side || of_side <= sheet.per_side;
}

/* What follows when all songs are sung: a card that is asked about, the open trick, or a lead. */
static int go_on(struct trick trick, int card, int need)
{
    if (card != NOBODY) return after_card(trick, card, need);
    return trick.count ? best_card(trick, need, NOBODY, 0) : before_lead(need);
}

/* Each side in turn, the taker's first, sings all it may: a cante is never worth less than silence. Only
 * where a limit leaves one out is there something to choose. */
static int sing(struct songs songs, int turn, struct trick trick, int card, int need)
{
    if (turn == sides()) return go_on(trick, card, need);
    int side = (side_of(leader) + turn) % sides(), any = songs_of(&songs, side);
    if (!any) return sing(songs, turn + 1, trick, card, need);
    int for_us = is_ours(side), value = for_us ? LOWEST : HIGHEST;
    for (int left_out = 0; left_out <= any; left_out++) {
        int now = any & ~left_out, gain = worth_of_songs(now, for_us);
        if (left_out & ~any || !within_limits(&songs, side, now)) continue;
        sung |= now;
        int found = gain + sing(songs, turn + 1, trick, card, need - gain);
        sung &= ~now;
        if (stopped) return 0;
        if (better(found, value, for_us)) value = found;
        if (!left_out || (for_us ? value >= need : value < need)) break;
    }
    return value;
}

/* ---- the search: what is known without it -------------------------------------------------------- */

/* What cantes may still add to our most, and take from our least: all that are possible. */
static void widen_by_cantes(int *least, int *most)
{
    if (!cantes_are_allowed()) return;
    for (int suit = 0; suit < SUITS; suit++) {
        u64 pair = pair_of(suit);
        if (sung >> suit & 1) continue;
        int may_be_ours = 0, may_be_theirs = 0;
        for (int seat = 0; seat < sheet.players; seat++)
            if (((hand[seat] | stock_mask) & pair) == pair) *(is_ours(seat) ? &may_be_ours : &may_be_theirs) = 1;
        if (may_be_ours) *most += worth_of_song(suit, 1);
        if (may_be_theirs) *least += worth_of_song(suit, 0);
    }
}

/* No line of play gives us less or more than this. */
static void sure_bounds(int *least, int *most)
{
    u64 all = in_hands(), our_cards = 0, trumps = (all | stock_mask) & suit_mask(sheet.trump);
    for (int seat = 0; seat < sheet.players; seat++)
        if (is_ours(seat)) our_cards |= hand[seat];
    int ours = 0, theirs = 0, is_our_row = trumps ? our_cards >> highest(trumps) & 1 : 0;
    for (; trumps; trumps ^= bit(highest(trumps))) {
        int card = highest(trumps);
        if (!(all >> card & 1) || (int)(our_cards >> card & 1) != is_our_row) break;
        *(is_our_row ? &ours : &theirs) += worth[card];
    }
    *least = ours;
    *most = rest - theirs;
    widen_by_cantes(least, most);
}

/* ---- the table of positions ---------------------------------------------------------------------- */

struct key { u64 suits01, suits23; };
struct entry {
    struct key key;
    short least, most;  /* bounds on our points from here */
    u8 best, spare;     /* the card to try first */
    u16 question;       /* of which question; entries of others are void */
};

/* Six tricks and fewer use the beginning of the table, which stays near the processor. */
enum { SMALL_TABLE = 1 << 16, WHOLE_TABLE = 1 << 18, SMALL_TRICKS = 6 };
static struct entry table[WHOLE_TABLE];
static u32 table_size;
static u16 question;

/* A suit as a number in base 5, a digit a rank: 0 gone or in the stock, else 1 + the seat that holds it. */
static u32 code_of(int suit)
{
    u32 code = 0, lane[SEATS], live = 0;
    int place = -1, class = -1;
    for (int seat = 0; seat < SEATS; seat++) live |= lane[seat] = (u32)(hand[seat] >> suit * RANKS) & 0xFFF;
    for (; live; live &= live - 1) {
        int rank = __builtin_ctz(live);
        u32 holder = lane[0] >> rank & 1 ? 1 : lane[1] >> rank & 1 ? 2 : lane[2] >> rank & 1 ? 3 : 4;
        if (stock_left) place = rank;
        else place = class == class_of[rank] ? place + 1 : class_of[rank];
        class = class_of[rank];
        code += holder * power5[place];
    }
    return code;
}

/* The same key means the same value. 28 bits a suit (5^12 < 2^28), and all else that the rest depends on. */
static struct key key_of(void)
{
    u64 rounds = stock_left / sheet.players, winners = sheet.law & SING_AFTER_ANY_TRICK ? won : 0;
    return (struct key){
        code_of(0) | (u64)code_of(1) << 28 | (u64)leader << 56 | (u64)sung << 58 | (u64)swapped << 62,
        code_of(2) | (u64)code_of(3) << 28 | rounds << 56 | winners << 61,
    };
}

static struct entry *place_of(struct key key)
{
    u64 hash = (key.suits01 ^ key.suits23 * 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL;
    hash = (hash ^ hash >> 32) * 0x94D049BB133111EBULL;
    return &table[hash >> 32 & (table_size - 1)];
}

/* Our points from the last trick: every seat lays the one card it has. */
static int last_trick(void)
{
    struct trick trick = {0};
    for (int i = 0; i < sheet.players; i++) {
        int seat = seat_after(leader, i);
        trick = with(trick, lowest(hand[seat]), seat);
    }
    return is_ours(trick.best_seat) ? rest : 0;
}

/* Our points from here, before a lead: from what is sure, from the table, or by search. */
static int before_lead(int need)
{
    int least, most, hint = NOBODY, best = NOBODY;
    if (tricks_left == 1) return last_trick();
    sure_bounds(&least, &most);
    if (is_race) least = LOWEST; /* what is surely ours may come too late */
    if (least >= need) return least;
    if (most < need) return most;
    struct key key = key_of();
    struct entry *entry = place_of(key);
    if (entry->question == question && entry->key.suits01 == key.suits01 && entry->key.suits23 == key.suits23) {
        if (entry->least >= need) return entry->least;
        if (entry->most < need) return entry->most;
        least = entry->least;
        most = entry->most;
        hint = entry->best;
    }
    int value = best_card((struct trick){0}, need, hint, &best);
    if (stopped) return 0;
    if (value >= need) least = value;
    else most = value;
    *entry = (struct entry){key, (short)least, (short)most, (u8)best, 0, question};
    return value;
}

/* ---- the question ---------------------------------------------------------------------------------- */

/* Exchange of sota and caballo where the caballo is higher: its own inverse. */
static u64 turned(u64 cards)
{
    if (!(sheet.law & CABALLO_OVER_SOTA)) return cards;
    u64 caballos = 0;
    for (int suit = 0; suit < SUITS; suit++) caballos |= bit(suit * RANKS + CABALLO);
    return (cards & ~(caballos | caballos << 1)) | (cards & caballos) << 1 | (cards >> 1 & caballos);
}

static int turned_card(int card) { return lowest(turned(bit(card))); }

/* A new question makes everything in the table void. */
static void forget(void)
{
    if (++question) return;
    for (u32 i = 0; i < WHOLE_TABLE; i++) table[i].question = 0;
    question = 1;
}

static int is_figure_of_cante(int rank) { return sheet.per_player && (rank == rank_of_sota() || rank == REY); }

/* What each card is worth, and which ranks are alike. */
static void load_worths(void)
{
    for (int card = 0; card < CARDS; card++) worth[card] = sheet.points[rank_of(turned_card(card))];
    for (int rank = 0; rank < RANKS; rank++) {
        power5[rank] = rank ? power5[rank - 1] * 5 : 1;
        int alike = rank && worth[rank] == worth[rank - 1];
        alike = alike && !is_figure_of_cante(rank) && !is_figure_of_cante(rank - 1);
        class_of[rank] = alike ? class_of[rank - 1] : rank;
    }
}

/* The cards of the sheet. Returns all that are still to be played. */
static u64 load_cards(struct trick *trick)
{
    u64 all = 0;
    stock_left = sheet.stock_size;
    for (int i = 0; i < stock_left; i++) all |= bit(stock[i] = (u8)turned_card(sheet.stock[i]));
    stock_mask = all;
    for (int seat = 0; seat < SEATS; seat++)
        all |= hand[seat] = seat < sheet.players ? turned(sheet.hand[seat]) : 0;
    *trick = (struct trick){0};
    for (int i = 0; i < sheet.laid; i++) *trick = with(*trick, turned_card(sheet.trick[i]), seat_after(leader, i));
    return all | trick->cards;
}

static struct trick load(void)
{
    struct trick trick;
    forget();
    stopped = swapped = is_race = 0;
    offered = sheet.swapper == NOBODY ? NOBODY : (u8)turned_card(sheet.swap_card);
    nodes = 0;
    leader = sheet.leader;
    sung = sheet.sung;
    won = sheet.won;
    load_worths();
    u64 all = load_cards(&trick);
    tricks_left = __builtin_popcountll(all) / sheet.players;
    table_size = tricks_left <= SMALL_TRICKS ? SMALL_TABLE : WHOLE_TABLE;
    rest = sheet.last_trick + tricks_left * sheet.per_trick;
    for (; all; all &= all - 1) rest += worth[lowest(all)];
    return trick;
}

/* The card of the swapper and the pinta change places; done again, they are back. */
static void exchange(void)
{
    u8 *pinta = &stock[sheet.stock_size - 1], given = offered;
    u64 both = bit(*pinta) | bit(given);
    hand[sheet.swapper] ^= both;
    stock_mask ^= both;
    offered = *pinta;
    *pinta = given;
    swapped ^= 1;
}

/* Our points from the position asked about, or after `card` is laid in it. What the last trick still allows
 * comes first: the swap of the pinta is made or left, then all that may be sung is sung. */
static int root(struct trick trick, int card, int need)
{
    struct songs songs = {{0}, {0}};
    for (int seat = 0; seat < sheet.players; seat++) songs.before[seat] = sheet.sung_by[seat];
    if (sheet.gap_open) find_songs(&songs);
    int value = sing(songs, 0, trick, card, need);
    if (sheet.swapper == NOBODY || card == offered || stopped) return value;
    int for_us = is_ours(sheet.swapper);
    if (for_us ? value >= need : value < need) return value;
    exchange();
    if (sheet.gap_open && !(sheet.law & SING_BEFORE_SWAP)) find_songs(&songs);
    int other = sing(songs, 0, trick, card, need);
    exchange();
    return better(other, value, for_us) ? other : value;
}

/* The value, by questions that close in on it, the first with this guess. */
static int exactly(struct trick trick, int card, int guess)
{
    int least = LOWEST, most = HIGHEST;
    while (least < most && !stopped) {
        int need = guess > least ? guess : least + 1;
        guess = root(trick, card, need);
        if (guess >= need) least = guess;
        else most = guess;
    }
    return least;
}

static int answer(int value)
{
    sheet.nodes = nodes;
    return stopped ? UNKNOWN : value;
}

/* ---- what the host calls --------------------------------------------------------------------------- */

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name)))
#else
#define EXPORT(name)
#endif

/* Where the sheet lies. */
EXPORT(address) struct sheet *address(void) { return &sheet; }

/* Our points from here with best play of all; UNKNOWN when the nodes do not suffice. */
EXPORT(value) int value(void)
{
    struct trick trick = load();
    return answer(exactly(trick, NOBODY, rest / 2));
}

/* Whether we can get at least so many points from here: 1 or 0; or UNKNOWN. */
EXPORT(reaches) int reaches(int need)
{
    struct trick trick = load();
    return answer(root(trick, NOBODY, need) >= need);
}

/* The same in a race, which they win if they get `rival` points first. Nobody may sing in it, so all points
 * are in the tricks, and ours tell theirs. */
EXPORT(race) int race(int need, int rival)
{
    struct trick trick = load();
    is_race = 1;
    lag = need + rival - rest;
    return answer(root(trick, NOBODY, need) >= need);
}

/* sheet.price: our points after each card that the seat to play holds, the unlawful ones too. Neighbours
 * that are alike have one price. Returns 0, or UNKNOWN. */
EXPORT(prices) int prices(void)
{
    struct trick trick = load();
    int seat = seat_after(leader, trick.count), guess = rest / 2;
    u64 held = hand[seat], apart = distinct(held, trick.cards | stock_mask | in_hands());
    if (sheet.swapper != NOBODY) apart = held; /* a card that may leave the hand is like no other */
    sheet.lawful = turned(lawful(held, &trick, seat));
    for (; held; held &= held - 1) {
        int card = lowest(held);
        if (apart >> card & 1) guess = exactly(trick, card, guess);
        sheet.price[turned_card(card)] = (short)guess;
    }
    return answer(0);
}

/* What a side sings of these songs, whose turn it is on the sheet: all, unless a limit leaves one out; then
 * what keeps the value. After that it sings no more. */
static int sung_by_side(struct songs songs, int side)
{
    int any = songs_of(&songs, side), is_free = within_limits(&songs, side, any);
    int before = sheet.sung, aim = is_free ? 0 : value(), now = any;
    for (int seat = side; seat < sheet.players; seat += sides()) sheet.sung_by[seat] = sheet.per_player;
    for (int left_out = 0; !is_free && left_out <= any; left_out++) {
        now = any & ~left_out;
        if (left_out & ~any || !within_limits(&songs, side, now)) continue;
        sheet.sung = (u8)(before | now);
        if (value() + worth_of_songs(now, is_ours(side)) == aim) break;
    }
    return before | now;
}

/* The sheet becomes the position after this card of the seat to play, as best play goes on from it: a full
 * trick is closed, and what may be sung after it is sung. For arrastre. Returns 0, or UNKNOWN. */
EXPORT(lay) int lay(int card)
{
    struct trick trick = load();
    int seat = seat_after(leader, trick.count);
    trick = with(trick, turned_card(card), seat);
    sheet.hand[seat] &= ~bit(card);
    sheet.trick[sheet.laid++] = (u8)card;
    sheet.winner = (u8)trick.best_seat;
    sheet.gap_open = 0;
    if (trick.count < sheet.players || tricks_left == 1) return 0;
    sheet.laid = 0;
    sheet.leader = sheet.winner;
    sheet.won |= (u8)(1 << side_of(sheet.winner));
    sheet.gap_open = 1;
    for (int i = 0; i < SEATS; i++) sheet.sung_by[i] = 0;
    for (int turn = 0; turn < sides() && !stopped; turn++) {
        struct songs songs = {{0}, {0}};
        load();
        find_songs(&songs);
        sheet.sung = (u8)sung_by_side(songs, (side_of(leader) + turn) % sides());
    }
    sheet.gap_open = 0;
    return stopped ? UNKNOWN : 0;
}

/* The key under which the table would keep this position, before a lead: for the tests. */
EXPORT(key) struct key *key(void)
{
    static struct key found;
    load();
    found = key_of();
    return &found;
}
