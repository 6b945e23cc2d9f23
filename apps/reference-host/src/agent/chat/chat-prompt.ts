import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { dirname, join } from 'node:path'
import type { Terminal } from '../../terminal/terminal.ts'
import { CHAT_COMMANDS } from './chat-commands.ts'

/** Where a person types to a model. */
export interface ChatPrompt {
  /** What was typed; `undefined` for Ctrl-D, for Ctrl-C where nothing was, and once the signal aborts. */
  read(): Promise<string | undefined>
}

const PROMPT = '› '
const MORE = '  '

/**
 * Reads messages at a terminal: arrows bring back earlier ones, Tab completes commands and files behind /attach, a `\` at the end of a line goes on
 * in the next, and what is pasted with its lines is one message.
 */
export function createChatPrompt(
  { input, output }: NonNullable<Terminal['keyboard']>,
  { root, signal }: { root: string; signal: AbortSignal },
): ChatPrompt {
  let history: string[] = []
  return {
    read: async () => {
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
      lines.on('line', (text) => {
        if (text.endsWith('\\')) {
          begun.push(text.slice(0, -1))
          lines.setPrompt(MORE)
          lines.prompt()
        } else resolve([...begun, text].join('\n'))
      })
      lines.on('SIGINT', () => {
        if (lines.line === '' && begun.length === 0) resolve(undefined)
        else {
          output.write('\n')
          resolve('')
        }
      })
      lines.on('history', (kept) => (history = kept))
      const leave = (): void => resolve(undefined)
      lines.on('close', leave)
      signal.addEventListener('abort', leave, { once: true })
      lines.prompt()
      const typed = await promise
      signal.removeEventListener('abort', leave)
      lines.close()
      if (typed === undefined) output.write('\n')
      return typed
    },
  }
}

function completeWord(line: string, root: string): [string[], string] {
  const attaching = /^\/attach (.*)$/.exec(line)
  if (attaching) return completePath(attaching[1] ?? '', root)
  return line.startsWith('/')
    ? [Object.keys(CHAT_COMMANDS).filter((word) => word.startsWith(line)), line]
    : [[], line]
}

function completePath(typed: string, root: string): [string[], string] {
  const folder = typed.endsWith('/') ? typed : dirname(typed)
  try {
    const names = readdirSync(join(root, folder), { withFileTypes: true })
    const paths = names.map((each) => join(folder, each.name) + (each.isDirectory() ? '/' : ''))
    return [paths.filter((path) => path.startsWith(typed)), typed]
  } catch {
    return [[], typed]
  }
}
