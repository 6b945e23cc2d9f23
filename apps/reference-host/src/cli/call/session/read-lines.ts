import { createInterface, type Interface } from 'node:readline'

/** Reads the lines that a person types. Another prompt may use the keyboard in between. */
export interface TypedLines {
  /** Returns the next line, `waiting` if the time is over, `end` for Ctrl-D, or `cancelled` for Ctrl-C. */
  next(milliseconds: number): Promise<TypedLine>
  /** Prints something above the line that is being typed. */
  above(print: () => void): void
  /** Lets `work` use the keyboard until it settles. */
  lend<Value>(work: () => Promise<Value>): Promise<Value>
  close(): void
}

/** The outcome of waiting for a line. */
export type TypedLine = { kind: 'line'; text: string } | { kind: 'waiting' | 'end' | 'cancelled' }

/** The streams of a keyboard and its terminal. */
export interface SessionKeyboard {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
}

const PROMPT = '› '
/** Moves to the first column and clears from there. */
const ERASE_LINE = '\r\u001b[J'

/** Reads lines from a terminal. */
export function readLines({ input, output }: SessionKeyboard): TypedLines {
  const typed: TypedLine[] = []
  let tell: (() => void) | undefined
  let open: Interface | undefined

  function put(line: TypedLine): void {
    typed.push(line)
    tell?.()
  }

  function start(): Interface {
    const lines = createInterface({ input, output, terminal: true, prompt: PROMPT })
    lines.on('line', (text) => put({ kind: 'line', text }))
    lines.on('SIGINT', () => put({ kind: 'cancelled' }))
    // Resetting the state first shows that the close is our own.
    lines.on('close', () => lines === open && put({ kind: 'end' }))
    return lines
  }

  function close(): void {
    const lines = open
    open = undefined
    if (lines) output.write(ERASE_LINE)
    lines?.close()
  }

  return {
    next: async (milliseconds) => {
      if (!open) {
        open = start()
        open.prompt()
      }
      if (typed.length === 0) await within(milliseconds, (done) => (tell = done))
      return typed.shift() ?? { kind: 'waiting' }
    },
    above: (print) => {
      if (open) output.write(ERASE_LINE)
      print()
      open?.prompt(true)
    },
    lend: async (work) => {
      close()
      return await work()
    },
    close,
  }
}

/** Settles when `done` is called, or when the time is over. */
async function within(milliseconds: number, wait: (done: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  wait(resolve)
  await promise
  clearTimeout(timer)
}
