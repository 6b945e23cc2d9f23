import {
  type Answer,
  type InputRequest,
  isJsonObject,
  isSecret,
  type JsonObject,
  type JsonValue,
  type Problem,
  type ToolCall,
  type ToolContext,
} from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import type { BridgeProblem } from '../bridge-problem.ts'
import { defaultsOf, type Elicitation } from './read-elicitation.ts'

/** What MCP calls the answer. */
export type ElicitResult =
  | { action: 'accept'; content?: Readonly<Record<string, JsonValue>> }
  | { action: 'decline' }
  | { action: 'cancel' }

/** On whose behalf a server asks. */
export interface Asking {
  /** Its configured name: what it calls itself could be anyone's. */
  server: string
  /** Unique within the call. */
  id: string
  /** Absent where the server asks during several calls, and nothing tells for which. */
  call?: ToolCall
  context: ToolContext
  signal: AbortSignal
  warn: (problem: Problem) => void
}

/**
 * Has a person answer what a server asks. Declining and cancelling are answers. A form's answer has the defaults of the fields that were left
 * out, only fields that were asked for, and fits the form. A form that asks for secrets is declined unasked.
 */
export async function answerElicitation(
  elicitation: Elicitation,
  asking: Asking,
): Promise<ElicitResult> {
  switch (elicitation.mode) {
    case 'url': {
      const { message, url } = elicitation
      const answer = await ask(
        { id: asking.id, text: message, schema: { type: 'boolean' }, url },
        asking,
      )
      if (answer.action !== 'accept') return { action: answer.action }
      return { action: answer.value === false ? 'decline' : 'accept' }
    }
    case 'form':
      return await answerForm(elicitation, asking)
  }
}

async function answerForm(
  { message, schema }: Extract<Elicitation, { mode: 'form' }>,
  asking: Asking,
): Promise<ElicitResult> {
  // Judged by its fields, not by words in its text.
  if (isSecret({ id: '', schema })) {
    asking.warn(
      refused(
        `The server "${asking.server}" asked for a secret in a form. It was declined unasked.`,
      ),
    )
    return { action: 'decline' }
  }
  const compiled = compileSchema(schema)
  if (!compiled.ok) {
    const reason = compiled.problems.map((problem) => problem.message).join('; ')
    asking.warn(
      refused(`The server "${asking.server}" asked with a form that is no JSON Schema: ${reason}.`),
    )
    return { action: 'cancel' }
  }
  const defaults = defaultsOf(schema)
  const isWhole = compiled.check(defaults).verdict === 'valid' && Object.keys(defaults).length > 0
  const request: InputRequest = {
    id: asking.id,
    text: message,
    schema,
    ...(isWhole && { default: { ...defaults } }),
  }
  const answer = await ask(request, asking)
  if (answer.action !== 'accept') return { action: answer.action }
  const content = { ...defaults, ...onlyAsked(answer.value, schema) }
  const { verdict, problems } = compiled.check(content)
  if (verdict !== 'invalid') return { action: 'accept', content }
  const reason = problems.map((problem) => problem.message).join('; ')
  asking.warn(
    refused(
      `The answer for the server "${asking.server}" does not fit its form and was not sent: ${reason}.`,
    ),
  )
  return { action: 'cancel' }
}

/** A port that breaks has not answered; the server is not told why. */
async function ask(request: InputRequest, asking: Asking): Promise<Answer> {
  const { context, server, call, signal, warn } = asking
  if (!context.ask) return { action: 'cancel', reason: 'nobody' }
  try {
    const source = { kind: 'elicitation', server, ...(call && { call }) } as const
    return await context.ask(request, { blocks: [], source, signal })
  } catch (error) {
    warn(
      refused(
        `Asking for the server "${server}" failed: ${error instanceof Error ? error.message : String(error)}.`,
      ),
    )
    return { action: 'cancel', reason: 'failed' }
  }
}

function onlyAsked(
  value: JsonValue,
  { properties }: JsonObject,
): Readonly<Record<string, JsonValue>> {
  if (!isJsonObject(value)) return {}
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}

function refused(message: string): BridgeProblem {
  return { path: '', message, code: 'elicitation-refused' }
}
