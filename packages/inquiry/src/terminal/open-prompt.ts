import type { Key } from 'node:readline'
import { CANCEL_SYMBOL } from '@clack/prompts'
import type { CancelReason } from '@toolblocks/protocol'
import type { Terminal } from './terminal.ts'

/** What a prompt is opened with. */
export interface PromptIo {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  signal: AbortSignal
}

/** What came of one prompt. */
export type Outcome<Value> =
  | { kind: 'value'; value: Value }
  | { kind: 'escape' }
  | { kind: 'cancel'; reason: CancelReason }

const SHOW_CURSOR = '\u001B[?25h'

/**
 * Opens one prompt and tells its ends apart, which the library does not: Esc, Ctrl-C, the end of input (where the library
 * would wait for ever) and an abort. The terminal is as before in every case.
 */
export async function openPrompt<Value>(
  { input, output, signal }: Terminal,
  show: (io: PromptIo) => Promise<Value | typeof CANCEL_SYMBOL>,
): Promise<Outcome<Value>> {
  if (signal.aborted) return { kind: 'cancel', reason: 'aborted' }
  if (input.destroyed || input.readableEnded) return { kind: 'cancel', reason: 'end-of-input' }
  const closing = new AbortController()
  let end: 'escape' | CancelReason | undefined
  let settled = false
  const close = (reason: 'escape' | CancelReason): void => {
    end ??= reason
    // Later, so that the library is not closed while it handles the same key.
    setImmediate(() => {
      if (!settled) closing.abort()
    })
  }
  const onKey = (_text: string | undefined, key: Key): void => {
    if (key.ctrl && key.name === 'c') end ??= 'user'
    if (key.name === 'escape') {
      // Hidden from the library, which would turn a No into a Yes on its way out.
      delete key.name
      close('escape')
    }
    if (key.ctrl && key.name === 'd') close('end-of-input')
  }
  const onEnd = (): void => close('end-of-input')
  const onAbort = (): void => close('aborted')
  const restore = (): void => {
    input.setRawMode(false)
    output.write(SHOW_CURSOR)
  }

  input.on('keypress', onKey).once('end', onEnd).once('close', onEnd).once('error', onEnd)
  signal.addEventListener('abort', onAbort, { once: true })
  process.once('exit', restore)
  try {
    const value = await show({ input, output, signal: closing.signal })
    if (value !== CANCEL_SYMBOL) return { kind: 'value', value }
    return end === 'escape' ? { kind: 'escape' } : { kind: 'cancel', reason: end ?? 'user' }
  } finally {
    settled = true
    process.off('exit', restore)
    signal.removeEventListener('abort', onAbort)
    input.off('keypress', onKey).off('end', onEnd).off('close', onEnd).off('error', onEnd)
    restore()
    input.pause()
  }
}
