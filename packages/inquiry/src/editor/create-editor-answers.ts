import {
  type Answer,
  type AnswerQuestion,
  type InputRequest,
  type QuestionContext,
  type StartProgram,
  isSecret,
} from '@toolblocks/protocol'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { comment, readAnswer } from './read-answer.ts'
import { createTemplate } from './create-template.ts'

/** Which editor is opened, and by whom. */
export interface EditorAnswersOptions {
  /** Starts the editor: `startProgram` of `@toolblocks/local-executor`, or one of your own. */
  startProgram: StartProgram
  /** Run by `sh` with the file's name behind it. Default: `VISUAL`, else `EDITOR`, else `vi` at a terminal. */
  command?: string
  /** All that the editor gets; its name is looked up in `PATH`, without relative elements. Default: this process's. */
  environment?: Readonly<Record<string, string | undefined>>
}

/** What is run, with which environment, and by whom. */
interface Editor {
  command: string
  environment: Readonly<Record<string, string | undefined>>
  startProgram: StartProgram
}

/** How often the editor opens again with the problems of what was saved. */
const MAX_OPENINGS = 10

/**
 * Has a person answer in an editor: JSON with comments, made from the question's schema and checked when the editor ends;
 * with problems it opens again, and they stand in the file. A file left unchanged or emptied, or an editor that ends with an
 * error, cancels. The blocks before the question are not shown here: `createTerminalAnswers` shows them, then hands over.
 *
 * @throws EditorError if there is no such editor.
 */
export function createEditorAnswers(options: EditorAnswersOptions): AnswerQuestion {
  return async (request, context) => {
    const editor = findEditor(options)
    if (!editor || cannotBeEdited(request, context)) return { action: 'cancel', reason: 'nobody' }
    const folder = await mkdtemp(join(tmpdir(), 'toolblocks-answer-'))
    try {
      const file = join(folder, 'answer.jsonc')
      return await editUntilItFits(file, { request, context, editor })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function findEditor({
  command,
  environment = process.env,
  startProgram,
}: EditorAnswersOptions): Editor | undefined {
  const named = command || environment['VISUAL'] || environment['EDITOR']
  if (named) return { command: named, environment, startProgram }
  const isAtTerminal = process.stdin.isTTY && process.stdout.isTTY
  return isAtTerminal ? { command: 'vi', environment, startProgram } : undefined
}

/** Pages to visit are not for editing, and a server may not ask for secrets in a form. */
function cannotBeEdited({ url, schema }: InputRequest, { source }: QuestionContext): boolean {
  return url !== undefined || (source.kind === 'elicitation' && isSecret({ id: '', schema }))
}

async function editUntilItFits(
  file: string,
  { request, context, editor }: { request: InputRequest; context: QuestionContext; editor: Editor },
): Promise<Answer> {
  const { signal } = context
  let text = composeFile(request, context)
  for (let opening = 1; opening <= MAX_OPENINGS; opening++) {
    if (signal.aborted) return { action: 'cancel', reason: 'aborted' }
    await writeFile(file, text, { mode: 0o600 })
    const left = await runEditor(file, editor, signal)
    if (signal.aborted) return { action: 'cancel', reason: 'aborted' }
    const saved = left === 'saved' ? await readSaved(file) : ''
    const read = saved === text ? undefined : readAnswer(saved, request.schema)
    if (read?.kind === 'value') return { action: 'accept', value: read.value }
    if (read?.kind !== 'problems') break
    text = read.text
  }
  return { action: 'cancel', reason: 'user' }
}

function composeFile(request: InputRequest, { source, problems = [] }: QuestionContext): string {
  const who = source.kind === 'elicitation' ? `Server ${source.server}` : source.call.name
  return [
    comment(request.text),
    comment(`${who} asks. Unchanged or empty, this file is no answer.`),
    ...problems.map(({ path, message }) => comment(`✗ ${path} ${message}`)),
    '',
    createTemplate(request.schema, request.default),
    '',
  ].join('\n')
}

/** A file that is gone is an empty one. */
async function readSaved(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** How long an editor has to put the terminal in order once it is told to end. */
const GRACE = 2000

/** Has a person edit a file. An editor that ends with an error, or is ended by the signal, leaves it at that: `gave-up`. */
async function runEditor(
  file: string,
  { command, environment, startProgram }: Editor,
  signal: AbortSignal,
): Promise<'saved' | 'gave-up'> {
  const started = await startProgram({
    program: 'sh',
    // The shell gives way to the editor, so that a signal reaches it; env takes assignments before the command.
    args: ['-c', `exec env ${command} "$1"`, 'sh', file],
    cwd: process.cwd(),
    env: environment,
    inherits: 'nothing',
    streams: 'terminal',
  })
  if (!started.ok) throw new EditorError(command, { cause: new Error(started.message) })
  const { program } = started
  let deadline: NodeJS.Timeout | undefined
  const end = (): void => {
    program.terminate()
    deadline = setTimeout(() => void program.kill(), GRACE)
  }
  signal.addEventListener('abort', end, { once: true })
  // It may have aborted while the editor was being started.
  if (signal.aborted) end()
  const { code } = await program.exited
  clearTimeout(deadline)
  signal.removeEventListener('abort', end)
  // What a shell ends with when it cannot run a command, or cannot find it.
  if (code === 126 || code === 127) throw new EditorError(command)
  return code === 0 ? 'saved' : 'gave-up'
}

/** The editor could not be started. */
export class EditorError extends Error {
  readonly code = 'editor-not-started'

  constructor(command: string, options?: ErrorOptions) {
    super(
      `The editor could not be started: ${command}. Set VISUAL or EDITOR to a command that takes a file name.`,
      options,
    )
    this.name = 'EditorError'
  }
}
