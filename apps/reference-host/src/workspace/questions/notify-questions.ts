import { startProgram } from '@toolblocks/local-executor'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { StartProgram } from '@toolblocks/protocol'
import { createQueue, getErrorText } from '@toolblocks/protocol/internal'
import { sanitizeTerminalLine } from '@toolblocks/renderer'
import { describeClient } from '@toolblocks/viewer/questions'
import { type NotificationPlan, planDesktop } from './desktop-notification.ts'

/** Tells a program about questions that wait. */
export interface QuestionNotifier {
  /** Starts the program for a question, and returns at once. */
  notify(question: PendingQuestion): void
  /** Waits for the programs, and returns why some of them failed, each reason once. */
  close(): Promise<readonly string[]>
}

/** What is told of a question. */
export interface NotifierOptions {
  /** The program and its arguments, or a notification of the desktop. */
  command: 'desktop' | readonly [string, ...string[]]
  /** The folder of the workspace, in which the program runs. */
  root: string
  /** Returns the id of the conversation of the person: the one to resume after an answer. */
  conversation: (question: PendingQuestion) => string
  /** Kills the programs. */
  signal: AbortSignal
  /** Default: `startProgram` of `@toolblocks/local-executor`. */
  start?: StartProgram
  /** Milliseconds after which the program is killed. Default: 30,000. */
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000
/** Programs that run at the same time. */
const PLACES = 4

/** Creates a notifier. No failure of the program has an effect on the question. */
export function createNotifier(options: NotifierOptions): QuestionNotifier {
  const { command, root, conversation } = options
  const inTurn = createQueue(PLACES)
  const running: Promise<string | undefined>[] = []
  return {
    notify: (question) => {
      const plan =
        command === 'desktop'
          ? planDesktop(describeForDesktop(question))
          : planProgram(
              command,
              describeForProgram(question, { root, resume: conversation(question) }),
            )
      running.push(inTurn(async () => await run(plan, options)).catch(getErrorText))
    },
    close: async () => {
      const failures = await Promise.all(running)
      return [...new Set(failures.filter((failure) => failure !== undefined))]
    },
  }
}

/** What the program reads. The arguments and the material are in the store, where `toolblocks questions show` finds them. */
function describeForProgram(
  { id, kind, call, agents, server, client, request, isLocal, askedAt, expiresAt }: PendingQuestion,
  origin: { root: string; resume: string },
): object {
  return {
    id,
    kind,
    tool: call.name,
    ...(agents && { agents }),
    ...(server !== undefined && { server }),
    ...(client && { client: describeClient(client) }),
    text: request.text,
    isLocal,
    askedAt,
    ...(expiresAt !== undefined && { expiresAt }),
    conversation: origin.resume,
    folder: origin.root,
  }
}

function planProgram(
  [program, ...args]: readonly [string, ...string[]],
  question: object,
): NotificationPlan {
  return { program, args, input: `${JSON.stringify(question)}\n`, variables: [] }
}

const MAX_TEXT = 200

/** What the desktop shows, perhaps also on a locked screen: as little as the program reads. */
function describeForDesktop({
  id,
  kind,
  call,
  agents = [],
  server,
  client,
  request,
}: PendingQuestion): { title: string; body: string } {
  const origin = [
    ...(server === undefined ? [] : [`server ${server}`]),
    ...(client ? [`client ${describeClient(client)}`] : []),
  ]
  const asking = [...agents, call.name, ...origin].join(', ')
  const text = kind === 'approval' ? 'needs your approval' : `asks: ${request.text}`
  const line = sanitizeTerminalLine(`${asking} ${text}`, { maxLength: MAX_TEXT })
  return { title: 'Toolblocks', body: `${line}\ntoolblocks questions answer ${id}` }
}

/** Runs the program to its end. Returns why it failed, if it did. */
async function run(
  { program, args, input, variables }: NotificationPlan,
  { root, signal, start = startProgram, timeoutMs = TIMEOUT_MS }: NotifierOptions,
): Promise<string | undefined> {
  if (signal.aborted) return undefined
  const started = await start({
    program,
    args,
    cwd: root,
    env: pickVariables(variables),
    inherits: 'usual',
    streams: 'pipes',
  })
  if (!started.ok) return started.message
  const { exited, write, endInput, onStdout, onStderr, kill, release } = started.program
  onStdout(() => {})
  onStderr(() => {})
  const late = AbortSignal.timeout(timeoutMs)
  const over = AbortSignal.any([signal, late])
  const end = (): void => void kill()
  over.addEventListener('abort', end, { once: true })
  try {
    void write(input).finally(endInput)
    const { code } = await exited
    if (late.aborted) return `${program} was stopped after ${timeoutMs / 1000} s`
    return code === 0 || signal.aborted ? undefined : `${program} ended with ${code}`
  } finally {
    over.removeEventListener('abort', end)
    await kill()
    release()
  }
}

function pickVariables(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
