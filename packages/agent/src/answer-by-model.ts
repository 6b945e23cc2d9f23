import { formatBlocks, type ModelMessage, type ModelRequest } from '@toolblocks/formatter'
import { type AskModel, createModelAnswers } from '@toolblocks/inquiry/model'
import {
  type Answer,
  type AnswerQuestion,
  type InputRequest,
  type ToolDefinition,
  isJsonObject,
} from '@toolblocks/protocol'
import { askModel, type Model, type ModelSettings, type ModelWithProfile } from './model.ts'

/** Opens a model by its name, or returns the reason why it is not available. */
export type OpenModel = (
  name: string,
) => Promise<({ ok: true } & ModelWithProfile) | { ok: false; message: string }>

/** Options of a model that answers the questions of tools. */
export interface ModelAnswererOptions {
  /** Opens the model that the route of a question names (`settings.name`), or the default model if the route names no model. */
  open(name?: string): ReturnType<OpenModel>
  /** The messages of the conversation that the model has received until now. Default: no messages. */
  messages?: () => readonly ModelMessage[]
  /** Settings of the request. Default: the provider's. */
  settings?: ModelSettings
  /** Called after each question that the model was asked, with its answer. */
  onAnswer?: (request: InputRequest, answer: Answer) => void | Promise<void>
}

/** The only tool of such a request. Its arguments are the answer. */
const ANSWER = 'answer'

/**
 * Creates a port through which a model answers questions. Each question is a separate request: the conversation so far, then the question, with the
 * question's schema as the only tool that the model may call. If the model cannot be opened, the question gets no answer, and the message says why.
 * The settings of a question's route (`name`, `instructions`, `maxOutputTokens`) override the ones given here.
 */
export function createModelAnswerer(options: ModelAnswererOptions): AnswerQuestion {
  return async (request, context) => {
    const opened = await options.open(readSettings(context.settings).name)
    if (!opened.ok) return { action: 'cancel', reason: 'nobody', message: opened.message }
    const answer = await createModelAnswers({
      model: askThrough(opened.model, options),
      // The request includes the blocks, formatted like the rest of the conversation.
      formatBlocks,
    })(request, context)
    await options.onAnswer?.(request, answer)
    return answer
  }
}

function askThrough(
  model: Model,
  { messages = () => [], settings }: ModelAnswererOptions,
): AskModel {
  return async ({ blocks, schema, settings: own }, { signal }) => {
    const tool: ToolDefinition = {
      name: ANSWER,
      description: 'Answers the question of the tool.',
      inputSchema: schema,
    }
    const { name: _, ...ofRoute } = readSettings(own)
    const request: ModelRequest = {
      messages: [
        ...messages(),
        { role: 'user', content: [...blocks, { type: 'text', text: HOW_TO_ANSWER }] },
      ],
      tools: [tool],
      toolChoice: 'required',
      ...settings,
      ...ofRoute,
    }
    const response = await askModel(model, request, { signal, show: () => {} })
    // A truncated response may be an incomplete answer.
    if (!response || response.cut) return undefined
    const call = response.message.calls.find((each) => each.name === ANSWER)
    return call ? call.arguments : readJson(formatBlocks(response.message.content))
  }
}

/** The route is part of the tool's configuration. A setting of the wrong type is ignored. */
function readSettings(route: unknown): ModelSettings & { name?: string } {
  const { name, instructions, maxOutputTokens } = isJsonObject(route) ? route : {}
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof instructions === 'string' && { instructions }),
    ...(typeof maxOutputTokens === 'number' && { maxOutputTokens }),
  }
}

const HOW_TO_ANSWER = `Call "${ANSWER}" with your answer.`

/** Some servers cannot force a tool call. Their model may have written the JSON as text. */
function readJson(text: string): unknown {
  const [, inside] = /^\s*```(?:json)?\n([^]*)\n```\s*$/.exec(text) ?? []
  try {
    return JSON.parse(inside ?? text)
  } catch {
    return text
  }
}
