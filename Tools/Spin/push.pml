/*
 * One column of one row that is edited on the device and pushed, while it is edited again, pulled, and changed on the server:
 * Offline/PendingChanges+Sending (prepare), Offline/PushAnswers (confirm), and Sync/Calls/EditsDuringSync (the pull). Requests and
 * answers may be lost; a request that gets no answer is sent again as it was, also after the program was ended and started again.
 * An `atomic` block is one transaction of the store, or of the server.
 *
 * Checked: it ends with nothing left to send (no deadlock); then the device has the server's value; the last edit has been the
 * server's value since all that was sent before it (no lost edit); the server applies each edit that was sent once.
 *
 * BROKEN=1: what is not answered is sent again with a new key.
 * BROKEN=2: a confirmation makes the row as it is the base, instead of what was sent.
 * BROKEN=3: an edit ends when the row is as before, though an answer is awaited.
 * BROKEN=4: a pull does not say when its payload was asked for.
 * BROKEN=5: a confirmation forgets which columns were sent, after a pull has changed the row.
 */
#ifndef BROKEN
#define BROKEN 0
#endif

#ifndef EDITS
#define EDITS 3
#endif
#ifndef LOSSES
#define LOSSES 1
#endif
#define KEYS 8
#define NO_KEY 0

/* The values that users and others give the column: it begins as 0. */
#define OTHERS 9

/* The store. */
byte row = 0;
bool hasEntry = false;
byte base = 0;
byte sent = 0;
byte key = NO_KEY;      /* of what was sent and is not answered */
bool isForced = false;  /* the column was sent, or is sent although it equals the base */
bool isPulled = false;  /* a pull has changed the row since it was sent */
byte answered = 0;      /* the moment of the last answer; 0 if there was none */
byte noted = 0;         /* the moment of the last pull that was synced */
byte clock = 0;

/* The server. */
byte server = 0;
bool known[KEYS];       /* the keys whose request it has applied */
byte keys = 0;
byte asked = 0;         /* pulls */
byte read = 0;

/* The edits by number: the one that was last made, that was last sent, and whether the last one has been the server's value since
   all that was sent before. */
byte edit = 0;
byte sentEdit = 0;
bool isHeld = true;
byte appliedEdit = 0;

bool hasUserEnded = false;

/* EditsDuringSync.end, PushAnswers.sweep: an edit that changes nothing ends. */
inline sweep() {
  if
#if BROKEN == 3
  :: hasEntry && row == base -> hasEntry = false; key = NO_KEY; isForced = false; isPulled = false
#else
  :: hasEntry && key == NO_KEY && !isForced && row == base -> hasEntry = false; isPulled = false
#endif
  :: else
  fi
}

/* Edits the row: to another value, and perhaps back. The triggers keep the base of the first edit. */
inline change(value) {
  atomic {
    if
    :: row != value ->
      if
      :: hasEntry
      :: else -> hasEntry = true; base = row; isForced = false; isPulled = false; key = NO_KEY
      fi;
      row = value;
      edit++;
      /* A row is not edited if it is edited back to what the server said while nothing is sent, or to what was sent. */
      isHeld = (server == value || (row == base && key == NO_KEY && !isForced)
        || (key != NO_KEY && value == sent && known[key]))
    :: else
    fi
  }
}

proctype User() {
  byte count = 0;
  do
  :: count < EDITS ->
    count++;
    if
    :: true -> change(0)
    :: true -> change(1)
    :: true -> change(2)
    :: true -> change(OTHERS)
    fi
  :: true -> break
  od;
  atomic { count = 0; hasUserEnded = true }
}

/* Another client of the server. */
proctype Other() {
  if
  :: atomic { server = OTHERS; if :: row == OTHERS -> isHeld = true :: else fi }
  :: atomic { server = 1; if :: row == 1 -> isHeld = true :: else fi }
  :: skip
  fi
}

/* EditsDuringSync, for a payload with the row. */
inline pull(value, moment) {
  if
  :: noted > moment -> skip /* a payload that was asked for later was synced */
#if BROKEN != 4
  :: noted <= moment && answered > moment -> noted = moment /* the row was answered since: it is left alone */
  :: noted <= moment && answered <= moment ->
#else
  :: noted <= moment ->
#endif
    noted = moment;
    sweep();
    if
    :: !hasEntry -> row = value
    :: else ->
      isPulled = isPulled || base != value;
      if
      :: base != row || isForced -> skip
      :: else -> row = value
      fi;
      base = value;
      sweep()
    fi
  fi
}

/* A pull: it asks, the server answers, and the payload is synced at any time after that, also behind a later one. The server
   answers pulls in the order in which they were asked for. */
proctype Pull() {
  byte moment, value, number;
  atomic { clock++; moment = clock; number = asked; asked++ }
  atomic { number == read; value = server; read++; number = 0 }
  atomic { pull(value, moment); moment = 0; value = 0 }
}

/* Sends what is pending until nothing is, and pulls once more in the end. */
proctype Push() {
  byte request, content, number, losses;
  bool isAnswered;
  do
  :: atomic {
      hasEntry && (key != NO_KEY || isForced || row != base);
      /* PendingChanges.prepare */
      if
#if BROKEN == 1
      :: key != NO_KEY -> keys++; key = keys
#else
      :: key != NO_KEY -> skip
#endif
      :: else ->
        keys++;
        key = keys;
        sent = row;
        sentEdit = edit;
        isForced = true;
        isPulled = false
      fi;
      /* What is sent is written by now, and lost with the program otherwise. */
      request = key; content = sent; number = sentEdit;
      isAnswered = true
    }
    if
    :: losses < LOSSES -> losses++; isAnswered = false
    :: atomic {
        /* The server answers a key that it knows with the same answer. */
        if
        :: !known[request] ->
          known[request] = true;
          assert(number > appliedEdit);
          appliedEdit = number;
          server = content;
          isHeld = (number == edit || content == row)
        :: else
        fi
      }
      if
      :: losses < LOSSES -> losses++; isAnswered = false
      :: skip
      fi
    fi;
    if
    :: isAnswered ->
      atomic {
        /* PushAnswers.confirm */
        if
        :: hasEntry && key == request ->
          clock++;
          answered = clock;
          if
          :: isPulled ->
            /* What the pull said since is newer, but for what was edited since it was sent. */
            if
            :: sent == row -> row = base; isForced = false
            :: else ->
#if BROKEN == 5
              isForced = false
#else
              skip
#endif
            fi
          :: else ->
#if BROKEN == 2
            base = row;
#else
            base = sent;
#endif
            isForced = false
          fi;
          key = NO_KEY;
          isPulled = false;
          sweep()
        :: else
        fi;
        request = NO_KEY; content = 0; number = 0; isAnswered = false
      }
    :: else -> atomic { request = NO_KEY; content = 0; number = 0 }
    fi
  :: hasUserEnded && !(hasEntry && (key != NO_KEY || isForced || row != base)) -> break
  od
}

/* A last pull, when all have ended, shows what the server has. */
init {
  byte value;
  atomic { run User(); run Other(); run Pull(); run Pull(); run Push() }
  atomic {
    _nr_pr == 1;
    clock++;
    value = server;
    pull(value, clock);
    assert(!hasEntry);
    assert(row == server);
    assert(isHeld)
  }
}
