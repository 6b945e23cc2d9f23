import { type Progress, type ToolResult, createErrorResult } from '@toolblocks/protocol'
import { quoteName } from '@toolblocks/protocol/internal'
import { sanitizeTerminalLine } from '@toolblocks/renderer'
import { AWAIT_DEFINITION } from '@toolblocks/tool-executor/internal'
import { type KeptCall, nameTool } from './kept-call.ts'

const AWAIT = AWAIT_DEFINITION.name

/**
 * Returns the answer to a request that does not wait for its call any longer. `folder`: where a person answers questions; absent: anywhere. `getQuestionAddress`: the page on which
 * she answers instead. `isPromised`: the client accepts only a result with structured content, or an error.
 */
export function describeKept(
  kept: KeptCall,
  {
    canAwait,
    isPromised,
    folder,
    getQuestionAddress,
    now,
  }: {
    canAwait: boolean
    isPromised: boolean
    folder: string | undefined
    getQuestionAddress?: ((id: string) => string) | undefined
    now: Date
  },
): ToolResult {
  const { question } = kept
  const text = question
    ? describeWaiting(kept, question, { folder, address: getQuestionAddress?.(question.id) })
    : describeRunning(kept, canAwait, now)
  const content = [{ type: 'text', text }] as const
  return question || isPromised ? createErrorResult(content) : { content, isError: false }
}

function describeRunning(
  { call, startedAt, progress }: KeptCall,
  canAwait: boolean,
  now: Date,
): string {
  const seconds = Math.round((now.getTime() - startedAt.getTime()) / 1000)
  const state = formatProgress(progress)
  const how = canAwait ? `call ${AWAIT} with ${JSON.stringify({ any: [call.id] })}` : REPEAT
  return `The call of ${quoteName(nameTool(call))} is still running after ${seconds} s${state}. It has no result yet. To get the result, ${how}.`
}

const REPEAT = 'make the same call again; it is not executed twice'

function describeWaiting(
  { call }: KeptCall,
  { id, kind, request }: NonNullable<KeptCall['question']>,
  { folder, address }: { folder: string | undefined; address: string | undefined },
): string {
  const terminal =
    folder === undefined ? 'in a terminal' : `in a terminal in ${JSON.stringify(folder)}`
  const where =
    address === undefined
      ? `with "toolblocks questions answer ${id}" ${terminal}, or on the page of "toolblocks view --answer"`
      : `at ${address}`
  const what =
    kind === 'approval'
      ? `The call of ${quoteName(nameTool(call))} waits for the approval of a person and has not been executed.`
      : `The call of ${quoteName(nameTool(call))} waits for the answer of a person.`
  const asks =
    kind === 'approval'
      ? ''
      : ` The question, as the tool wrote it: ${JSON.stringify(sanitizeTerminalLine(request.text, { maxLength: MAX_QUESTION }))}`
  return `${what} Tell the user: it is question ${id}; they answer it ${where}. After the answer, make the same call again: it then continues, and is executed once.${asks}`
}

/** Characters of a question that a model reads. */
const MAX_QUESTION = 200

/** `(3/10: compiling)`, or nothing. */
function formatProgress({ progress, total, message }: Progress = {}): string {
  const count = progress === undefined ? '' : `${progress}${total === undefined ? '' : `/${total}`}`
  const line = [count, message ?? ''].filter((part) => part !== '').join(': ')
  return line === '' ? '' : ` (${line})`
}

/** Adds to a late result that it belongs to an earlier request. */
export function describeLate(result: ToolResult, startedAt: Date): ToolResult {
  const text = `This is the result of the same call, made at ${formatTime(startedAt)}, whose result had not arrived. It was not made again.`
  return { ...result, content: [...result.content, { type: 'text', text }] }
}

/** The answer to the same call in a newer session, when the one in which it waited has ended. */
export function describeMoved(name: string): ToolResult {
  const text = `The call of ${quoteName(name)} waits for a person, and the session in which it waited has ended. Make the same call again: it then continues, and is executed once.`
  return createErrorResult([{ type: 'text', text }])
}

/** The result of a call that another host began, and of which nothing more is known. */
export function describeInterrupted(name: string, startedAt: Date): ToolResult {
  const text = `The same call of ${quoteName(name)} was made at ${formatTime(startedAt)}, and its server or its session ended while it ran. It may have been executed. It was not executed again. Find out what it has done; to execute it again, make the same call once more.`
  return createErrorResult([{ type: 'text', text }])
}

function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
