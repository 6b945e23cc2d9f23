import { end, type Ending } from '../connection/ending.ts'
import { createAlarm } from './alarm.ts'
import { hearAborts } from './hear-aborts.ts'

/** The end of a call in active time. It ends at the deadline, and when the call is ended from outside. */
export interface Deadline extends Ending {
  /** It ended because of the time. */
  isOver: boolean
  readonly milliseconds: number
  readonly outer: AbortSignal
  /** While it runs. */
  dueAt: number
  pauses: number
  /** When it is paused: what is left. */
  left: number
}

/** The deadlines of the calls of one server, which share a timer. */
export interface Deadlines {
  /** Starts a deadline after so much active time. */
  start(milliseconds: number, outer: AbortSignal): Deadline
  /** Stands still until what it returns is called; several pauses may overlap. */
  pause(deadline: Deadline): () => void
  /** No more is measured. */
  stop(deadline: Deadline): void
}

/** Keeps deadlines; no timer, listener or signal is made for each. */
export function keepDeadlines(): Deadlines {
  const aborts = hearAborts<Deadline>((deadline, reason) => {
    alarm.clear(deadline)
    end(deadline, reason)
  })
  const alarm = createAlarm<Deadline>((deadline) => {
    deadline.isOver = true
    end(deadline, new Error(`no answer within ${deadline.milliseconds} ms`))
  })

  return {
    start: (milliseconds, outer) => {
      const deadline: Deadline = {
        hasEnded: outer.aborted,
        reason: outer.reason,
        listeners: new Set(),
        controller: undefined,
        isOver: false,
        milliseconds,
        outer,
        dueAt: performance.now() + milliseconds,
        pauses: 0,
        left: 0,
      }
      if (deadline.hasEnded) return deadline
      aborts.add(deadline, outer)
      alarm.set(deadline)
      return deadline
    },
    pause: (deadline) => {
      if (deadline.pauses === 0) {
        alarm.clear(deadline)
        deadline.left = Math.max(0, deadline.dueAt - performance.now())
      }
      deadline.pauses += 1
      let isPaused = true
      return () => {
        if (!isPaused) return
        isPaused = false
        deadline.pauses -= 1
        if (deadline.pauses > 0 || deadline.hasEnded) return
        deadline.dueAt = performance.now() + deadline.left
        alarm.set(deadline)
      }
    },
    stop: (deadline) => {
      alarm.clear(deadline)
      aborts.remove(deadline, deadline.outer)
      // A question that is answered later must not start it again.
      deadline.pauses = Number.POSITIVE_INFINITY
    },
  }
}
