/*
 * The calls of a container in the queue of its store: Store/SyncQueue and Store/RevocableWork, as Sync/Calls/SyncCall.run uses
 * them. Each call may be cancelled at any moment, or refused before it waits. An `atomic` block runs under a lock in the code.
 *
 * Checked: each call ends, whoever is cancelled (no deadlock); bodies run one at a time, in the order of the tickets; the body of
 * a call that has returned never runs; each continuation is resumed once; the queue is empty in the end.
 *
 * BROKEN=1: a call that leaves hands the turn to the next number, though that call may have been cancelled.
 * BROKEN=2: a call that leaves before its turn hands the turn on, though another call has it.
 * BROKEN=3: a call that was cancelled before it waits is not notified.
 * BROKEN=4: work that was cancelled before it began runs nevertheless.
 */
#ifndef BROKEN
#define BROKEN 0
#endif

#ifndef CALLS
#define CALLS 3
#endif

mtype = { Absent, Taken, Awaiting }    /* the queue's entry of a call */
mtype = { New, Waiting, Begun, Ended } /* the state of its work */
mtype = { None, Success, Failure }     /* what a continuation was resumed with */

/* SyncQueue. A call is known by the number of its ticket. */
mtype entry[CALLS] = Absent;
byte current = 0;
byte next = 0;
mtype turn[CALLS] = None;

/* RevocableWork */
mtype work[CALLS] = New;
mtype result[CALLS] = None;

bool hasReturned[CALLS];
byte running = 0;
byte latest = 0;

inline resume(continuation, value) {
  assert(continuation == None);
  continuation = value
}

proctype Call(byte number) {
  /* SyncQueue.take. The calls are alike, so the first one is the one that takes the first ticket. */
  atomic {
    next == number;
    next++;
    entry[number] = Taken;
    if
    :: goto leave /* its arguments are wrong: it leaves without a turn */
    :: skip
    fi
  }

  /* SyncQueue.Ticket.turn */
  atomic {
    if
    :: number == current -> resume(turn[number], Success)
#if BROKEN != 3
    :: number != current && entry[number] == Absent -> resume(turn[number], Failure)
#endif
    :: else -> entry[number] = Awaiting
    fi
  }
  atomic {
    turn[number] != None;
    if
    :: turn[number] == Failure -> goto leave
    :: else
    fi
  }

  /* RevocableWork.result: the work is started unless it was cancelled before. */
  atomic {
    if
    :: work[number] == Ended -> resume(result[number], Failure)
    :: else -> work[number] = Waiting; run Work(number)
    fi
  }
  result[number] != None;

leave:
  /* SyncQueue.leave: every ticket is returned. */
  atomic {
    hasReturned[number] = true;
    entry[number] = Absent;
    if
#if BROKEN != 2
    :: number != current -> goto done
#endif
    :: else
    fi;
    current++;
#if BROKEN != 1
    do
    :: current < next && entry[current] == Absent -> current++
    :: else -> break
    od;
#endif
    if
    :: current < next && entry[current] == Awaiting -> entry[current] = Taken; resume(turn[current], Success)
    :: else
    fi
  }
done:
  skip
}

/* Does the work of a call, on the database's writer. */
proctype Work(byte number) {
  /* RevocableWork.begin */
  atomic {
    if
    :: work[number] == Waiting -> work[number] = Begun
#if BROKEN != 4
    :: work[number] == Ended -> goto done
#endif
    :: else
    fi
  }
  /* The body: a transaction. */
  atomic {
    assert(running == 0 && !hasReturned[number] && number >= latest);
    running++;
    latest = number
  }
  running--;
  /* RevocableWork.end */
  atomic {
    if
    :: work[number] == Waiting || work[number] == Begun -> resume(result[number], Success)
    :: else
    fi;
    work[number] = Ended
  }
done:
  skip
}

/* Cancels the task of a call: at any moment, or never. */
proctype Cancellation(byte number) {
  atomic {
    next > number;
    /* SyncQueue.cancel */
    if
    :: number != current && entry[number] != Absent ->
      if
      :: entry[number] == Awaiting -> resume(turn[number], Failure)
      :: else
      fi;
      entry[number] = Absent
    :: else
    fi;
    /* RevocableWork.revoke */
    if
    :: work[number] == New -> work[number] = Ended
    :: work[number] == Waiting -> work[number] = Ended; resume(result[number], Failure)
    :: else
    fi
  }
}

init {
  byte index = 0;
  atomic {
    do
    :: index < CALLS ->
      run Call(index);
      if
      :: run Cancellation(index)
      :: skip
      fi;
      index++
    :: else -> break
    od
  }
  do
  :: index > 0 -> index--; hasReturned[index]
  :: else -> break
  od;
  /* All calls have left: another one would have its turn at once. */
  atomic {
    assert(current == CALLS && next == CALLS);
    do
    :: index < CALLS -> assert(entry[index] == Absent); index++
    :: else -> break
    od
  }
}
