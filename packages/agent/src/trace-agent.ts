import type { ModelProfile, ModelRequest } from '@toolblocks/formatter'
import type { OperationEnd, Telemetry, TelemetryAttributes } from '@toolblocks/protocol'
import { type Model, ModelError, type ModelMessageEvent, type ModelWithProfile } from './model.ts'
import type { TurnEnd } from './run-turn.ts'

/** The names of providers in the conventions, by the first word of their profiles. */
const PROVIDERS: Readonly<Record<string, string>> = { google: 'gcp.gemini' }

/** Reports each request to a model by OpenTelemetry's conventions for GenAI. Without telemetry, the model is unchanged. */
export function traceModel(
  model: Model,
  { profile, modelName }: Omit<ModelWithProfile, 'model'>,
  { telemetry, conversation }: { telemetry: Telemetry | undefined; conversation: string },
): Model {
  if (!telemetry) return model
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': getProvider(profile),
    'gen_ai.request.model': modelName,
  }
  return async function* answer(request, signal) {
    const running = telemetry.start({
      name: modelName === undefined ? 'chat' : `chat ${modelName}`,
      kind: 'client',
      duration: 'gen_ai.client.operation.duration',
      attributes,
      details: {
        'gen_ai.conversation.id': conversation,
        'gen_ai.request.max_tokens': request.maxOutputTokens,
        ...(telemetry.capturesContent && describeInput(request)),
      },
    })
    // What ends before its message has no response.
    let end: OperationEnd = { error: signal.aborted ? 'cancelled' : '_OTHER' }
    const events = running.run(() => model(request, signal)[Symbol.asyncIterator]())
    try {
      for (;;) {
        const next = await running.run(async () => await events.next())
        if (next.done) break
        if (next.value.type === 'message') {
          end = describeMessage(next.value, telemetry.capturesContent)
          recordTokens(next.value, { ...attributes, ...end.attributes }, telemetry)
        }
        yield next.value
      }
    } catch (error) {
      end = { error: signal.aborted ? 'cancelled' : getError(error) }
      throw error
    } finally {
      running.end(end)
      await events.return?.()
    }
  }
}

/** A server that is compatible with OpenAI counts as OpenAI. */
function getProvider({ name }: Pick<ModelProfile, 'name'> = { name: '_OTHER' }): string {
  const [first = ''] = name.split('-')
  return PROVIDERS[first] ?? first
}

/** The longest content that is reported. */
const MAX_CONTENT = 65_536

const toText = (value: unknown): string => JSON.stringify(value).slice(0, MAX_CONTENT)

function describeInput({ messages, instructions }: ModelRequest): TelemetryAttributes {
  return {
    'gen_ai.input.messages': toText(messages),
    ...(instructions !== undefined && { 'gen_ai.system_instructions': toText(instructions) }),
  }
}

function describeMessage(
  { message, model, usage = {}, cut }: ModelMessageEvent,
  capturesContent: boolean,
): OperationEnd {
  const reason =
    cut === 'tokens'
      ? 'length'
      : cut === 'filter'
        ? 'content_filter'
        : message.calls.length > 0
          ? 'tool_calls'
          : 'stop'
  return {
    attributes: { 'gen_ai.response.model': model },
    details: {
      'gen_ai.response.finish_reasons': [reason],
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
      'gen_ai.usage.cache_creation.input_tokens': usage.cacheWriteTokens,
      ...(capturesContent && { 'gen_ai.output.messages': toText([message]) }),
    },
  }
}

function recordTokens(
  { usage = {} }: ModelMessageEvent,
  attributes: TelemetryAttributes,
  telemetry: Telemetry,
): void {
  const { inputTokens: input, outputTokens: output } = usage
  for (const [type, count] of Object.entries({ input, output }))
    if (count !== undefined)
      telemetry.record('gen_ai.client.token.usage', count, {
        ...attributes,
        'gen_ai.token.type': type,
      })
}

function getError(error: unknown): string {
  if (error instanceof ModelError) return error.status?.toString() ?? error.code
  return error instanceof Error ? error.name : '_OTHER'
}

/** Returns a function that reports a turn, and what begins in it, by OpenTelemetry's conventions for GenAI. */
export function traceTurns(
  telemetry: Telemetry | undefined,
  { agent, conversation }: { agent: string | undefined; conversation: string },
): <End extends TurnEnd | undefined>(turn: () => Promise<End>) => Promise<End> {
  if (!telemetry) return async (turn) => await turn()
  return async (turn) => {
    const running = telemetry.start({
      name: agent === undefined ? 'invoke_agent' : `invoke_agent ${agent}`,
      kind: 'internal',
      duration: 'gen_ai.invoke_agent.duration',
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent },
      details: { 'gen_ai.conversation.id': conversation },
    })
    try {
      const end = await running.run(turn)
      running.end(describeEnd(end))
      return end
    } catch (error) {
      running.end({ error: getError(error) })
      throw error
    }
  }
}

/** A turn that waits for people has not failed. */
function describeEnd(end: TurnEnd | undefined): OperationEnd {
  switch (end) {
    case 'aborted':
      return { error: 'cancelled' }
    case 'too-long':
    case 'cut':
      return { error: end }
    case 'completed':
    case 'parked':
    case undefined:
      return {}
  }
}
