import { completeTypedPath } from './attach-file.ts'
import { createInterface } from 'node:readline'
import type { Terminal } from '../../terminal/terminal.ts'
import { CHAT_COMMANDS } from './chat-commands.ts'

/** The prompt at which a person types to a model. */
interface ChatPrompt {
  /**
   * Reads a message. Returns `undefined` for Ctrl-D, for Ctrl-C at an empty prompt, and if the signal aborts. After an interrupted turn, the first
   * Ctrl-C may still have been meant for the turn, so it only explains how to leave.
   */
  read(options?: { wasInterrupted?: boolean }): Promise<string | undefined>
}

const PROMPT = '› '

const MORE = '  '

/** Escape sequences with which a terminal marks pasted text. */
const MARK_PASTED = { on: '\u001b[?2004h', off: '\u001b[?2004l' }

/**
 * Reads messages at a terminal. Arrow keys recall earlier messages, and Tab completes commands and files after /attach. A `\` at the end of a line
 * continues the message on the next line. Pasted lines are one message.
 */
export function createChatPrompt(
  { input, output }: NonNullable<Terminal['keyboard']>,
  { root, signal }: { root: string; signal: AbortSignal },
): ChatPrompt {
  let history: string[] = []
  return {
    read: async ({ wasInterrupted = false } = {}) => {
      const lines = createInterface({
        input,
        output,
        terminal: true,
        prompt: PROMPT,
        history: [...history],
        historySize: 500,
        removeHistoryDuplicates: true,
        completer: (line: string) => completeWord(line, root),
      })
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      const begun: string[] = []
      let isPasted = false
      const onKey = (_text: unknown, { name }: { name?: string }): void => {
        if (name === 'paste-start' || name === 'paste-end') isPasted = name === 'paste-start'
      }
      input.on('keypress', onKey)
      const continueLine = (): void => {
        lines.setPrompt(MORE)
        lines.prompt(true)
      }
      lines.on('line', (text) => {
        const isContinued = !isPasted && text.endsWith('\\')
        begun.push(isContinued ? text.slice(0, -1) : text)
        if (isContinued || isPasted) continueLine()
        // More text in the same chunk was pasted too, at a terminal that does not mark it.
        else
          setImmediate(() => {
            if (lines.line === '') resolve(begun.join('\n'))
            else continueLine()
          })
      })
      let mayLeave = !wasInterrupted
      lines.on('SIGINT', () => {
        if (lines.line === '' && begun.length === 0) {
          if (mayLeave) return resolve(undefined)
          mayLeave = true
          output.write('\nPress Ctrl-C again to leave.\n')
          lines.prompt()
        } else {
          output.write('\n')
          resolve('')
        }
      })
      lines.on('history', (kept) => (history = kept))
      const endWithoutLine = (): void => resolve(undefined)
      lines.on('close', endWithoutLine)
      signal.addEventListener('abort', endWithoutLine, { once: true })
      output.write(MARK_PASTED.on)
      lines.prompt()
      const typed = await promise
      output.write(MARK_PASTED.off)
      input.off('keypress', onKey)
      signal.removeEventListener('abort', endWithoutLine)
      lines.close()
      if (typed === undefined) output.write('\n')
      return typed
    },
  }
}

/** Commands that take an argument. */
const COMMANDS_WITH_ARGUMENT: ReadonlySet<string> = new Set(['/attach', '/model'])

function completeWord(line: string, root: string): [string[], string] {
  const [, path] = /^\/attach\s+(.*)$/.exec(line) ?? []
  if (path !== undefined) return completeTypedPath(path, root)
  if (!line.startsWith('/')) return [[], line]
  const commands = Object.keys(CHAT_COMMANDS).filter((word) => word.startsWith(line))
  return [commands.map((word) => (COMMANDS_WITH_ARGUMENT.has(word) ? `${word} ` : word)), line]
}
