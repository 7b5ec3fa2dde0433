/*
 * Runs of pages: Sync/Calls/PageSync and PageRun, with what they store in one transaction with each page (Store/Bookmarks/
 * StoredRun and StoredBookmarks). Each page may fail, and the process may end after any step; a later call continues at the
 * stored cursor, or starts from the beginning. Two programs do this at the same time. The server has a row on each page, and the
 * store has a row that the server no longer has. An `atomic` block is one transaction, or one read of the store.
 *
 * Checked: the cursor is never ahead of the rows; no run deletes a row that a page has; a run that ends has deleted the row that
 * no page has.
 *
 * BROKEN=1: the cursor is stored before its page, in a transaction of its own.
 * BROKEN=2: the rows that a page had are not stored with it.
 * BROKEN=3: a run stores its cursor though another run has begun since.
 * BROKEN=4: a run continues at the cursor that the program gives, though another one is stored.
 */
#ifndef BROKEN
#define BROKEN 0
#endif

#define PAGES 4
#define LISTED 15 /* the rows of the pages: bit n is the row of page n */
#define STALE 16  /* the row that no page has */
#define NONE 0
#ifndef ROUNDS
#define ROUNDS 2
#endif

/* The store. */
byte rows = STALE;
byte cursor = NONE;    /* the page at which the list continues */
byte storedKey = NONE; /* the run that is stored, the rows that were there when it began, and those that it has seen */
byte storedRows = 0;
byte storedSeen = 0;

byte keys = 0;

inline check() {
  /* Rows of all pages before the cursor. */
  assert((rows & ((1 << cursor) - 1)) == ((1 << cursor) - 1))
}

/* A program that calls `sync(pages:)` up to twice. */
proctype Program() {
  byte calls = 0;
  byte start, page, key, found, seen, noted, missing;
  bool isWhole, isStored;

call:
  /* What an earlier call had in memory is gone. */
  atomic {
    start = NONE; page = 0; key = NONE; found = 0; seen = 0; noted = 0; missing = 0;
    isWhole = false; isStored = false;
    if
    :: calls == ROUNDS -> goto done
    :: else -> calls++
    fi
  }

  /* `cursor(for:)`, or a call from the start. */
  if
  :: atomic { start = cursor }
  :: start = NONE
  fi;

  /* PageSync.begin */
  atomic {
    if
    :: start == NONE -> isWhole = true; found = rows; keys++; key = keys
#if BROKEN == 4
    :: start != NONE && storedKey != NONE ->
#else
    :: start != NONE && cursor == start && storedKey != NONE ->
#endif
      isWhole = true; isStored = true; found = storedRows; seen = storedSeen; key = storedKey
    :: else -> isWhole = false
    fi;
    page = start
  }

  do
  :: page < PAGES ->
    if
    :: goto call /* the page cannot be fetched or synced, or the program ends */
    :: skip
    fi;
#if BROKEN == 1
    atomic {
      if
      :: page + 1 < PAGES && (!isWhole || !isStored || storedKey == key) -> cursor = page + 1
      :: else
      fi;
      check()
    }
#endif
    atomic {
      rows = rows | (1 << page);
      noted = noted | (found & (1 << page));
      seen = seen | (found & (1 << page));
      /* PageRun.remember */
      if
      :: page + 1 == PAGES -> skip /* the last page's cursor is stored with the deletion */
      :: page + 1 < PAGES && !isWhole ->
        storedKey = NONE; storedRows = 0; storedSeen = 0;
        cursor = page + 1
#if BROKEN != 3
      :: page + 1 < PAGES && isWhole && isStored && storedKey != key -> skip
      :: page + 1 < PAGES && isWhole && (!isStored || storedKey == key) ->
#else
      :: page + 1 < PAGES && isWhole ->
#endif
        if
        :: isStored -> storedSeen = storedSeen | noted
        :: else -> storedKey = key; storedRows = found; storedSeen = seen
        fi;
#if BROKEN == 2
        storedSeen = 0;
#endif
        cursor = page + 1;
        /* PageRun.didStore, which nobody else sees */
        isStored = true; noted = 0
      fi;
      page++;
      check()
    }
  :: else -> break
  od;

  /* PageSync.missingRows */
  atomic {
    missing = 0;
    if
    :: isWhole -> missing = rows & found & ~seen
    :: else
    fi
  }
  if
  :: goto call
  :: skip
  fi;
  /* The transaction of the end: PageRun.end */
  atomic {
    assert((missing & LISTED) == 0);
    rows = rows & ~missing;
    assert(!isWhole || (rows & STALE) == 0);
    if
    :: isStored && storedKey != key -> skip
    :: else -> storedKey = NONE; storedRows = 0; storedSeen = 0; cursor = NONE
    fi;
    check()
  }
  goto call;
done:
  skip
}

init {
  atomic {
    /* Any of the rows may be there before. */
    if :: rows = rows | 1 :: skip fi;
    if :: rows = rows | 2 :: skip fi;
    if :: rows = rows | 4 :: skip fi;
    if :: rows = rows | 8 :: skip fi;
    run Program();
    run Program()
  }
}
