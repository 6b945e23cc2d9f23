import { createInterface, type Interface } from 'node:readline'

/** Lines a person types; a prompt of another kind may have the keyboard in between. */
export interface TypedLines {
  /** The next line; `waiting` after some time without one, `end` for Ctrl-D, `cancelled` for Ctrl-C. */
  next(milliseconds: number): Promise<TypedLine>
  /** Prints something above the line that is being typed. */
  above(print: () => void): void
  /** Leaves the keyboard to somebody else until they are done. */
  lend<Value>(work: () => Promise<Value>): Promise<Value>
  close(): void
}

/** What came of waiting for a line. */
export type TypedLine = { kind: 'line'; text: string } | { kind: 'waiting' | 'end' | 'cancelled' }

/** Where lines are typed. */
export interface Keyboard {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
}

const PROMPT = '› '
/** Back to the first column, and clears from there. */
const ERASE_LINE = '\r\u001b[J'

/** Reads lines from a terminal. */
export function readLines({ input, output }: Keyboard): TypedLines {
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
    // Closing it ourselves forgets it first.
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

/** Settles when it is told to, or when the time is over. */
async function within(milliseconds: number, wait: (done: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  wait(resolve)
  await promise
  clearTimeout(timer)
}
