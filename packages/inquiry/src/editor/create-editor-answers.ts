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

/** Options of the editor. */
export interface EditorAnswersOptions {
  /** Starts the editor: `startProgram` of `@toolblocks/local-executor`, or your own function. */
  startProgram: StartProgram
  /** The command, run by `sh` with the file's name as its last argument. Default: `VISUAL`, else `EDITOR`, else `vi` at a terminal. */
  command?: string
  /**
   * The complete environment of the editor. Its program is looked up in `PATH`, without relative entries. Default: the environment of this process.
   */
  environment?: Readonly<Record<string, string | undefined>>
}

/** The editor's command, environment and starter. */
interface Editor {
  command: string
  environment: Readonly<Record<string, string | undefined>>
  startProgram: StartProgram
}

/** How often the editor opens again to show problems. */
const MAX_OPENINGS = 10

/**
 * Creates a port that asks a person through an editor. The file is JSON with comments, made from the question's schema and checked when the editor
 * ends. If there are problems, the editor opens again with the problems in the file. An unchanged or empty file, or an editor that ends with an
 * error, cancels the question. The blocks before the question are not shown here: `createTerminalAnswers` shows them first.
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

/** A page to visit cannot be edited, and a server may not ask for secrets in a form. */
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
    comment(`${who} asks. An unchanged or empty file cancels the question.`),
    ...problems.map(({ path, message }) => comment(`✗ ${path} ${message}`)),
    '',
    createTemplate(request.schema, request.default),
    '',
  ].join('\n')
}

/** A missing file counts as empty. */
async function readSaved(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** Milliseconds that an editor has to restore the terminal after it is told to end. */
const GRACE = 2000

/** Opens a file in the editor. If the editor ends with an error or by the signal, the result is `gave-up`. */
async function runEditor(
  file: string,
  { command, environment, startProgram }: Editor,
  signal: AbortSignal,
): Promise<'saved' | 'gave-up'> {
  const started = await startProgram({
    program: 'sh',
    // The shell is replaced by the editor, so that a signal reaches it. `env` takes assignments before the command.
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
  // The signal may have aborted while the editor started.
  if (signal.aborted) end()
  const { code } = await program.exited
  clearTimeout(deadline)
  signal.removeEventListener('abort', end)
  // Exit codes of a shell that cannot run or cannot find a command.
  if (code === 126 || code === 127) throw new EditorError(command)
  return code === 0 ? 'saved' : 'gave-up'
}

/** Thrown if the editor cannot be started. */
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
