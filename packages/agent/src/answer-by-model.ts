import {
  formatBlocks,
  type ModelMessage,
  type ModelProfile,
  type ModelRequest,
} from '@toolblocks/formatter'
import { type AskModel, createModelAnswers } from '@toolblocks/inquiry/model'
import {
  type Answer,
  type AnswerQuestion,
  type InputRequest,
  isJsonObject,
  type ToolDefinition,
} from '@toolblocks/protocol'
import { askModel, type Model, type ModelSettings } from './model.ts'

/** Opens a model by its name, or says why it cannot be asked. */
export type OpenModel = (
  name: string,
) => Promise<{ ok: true; model: Model; profile?: ModelProfile } | { ok: false; message: string }>

/** What a model answers the questions of tools with. */
export interface ModelAnswererOptions {
  /** Opens the model that the route of a question names (`settings.name`), or the one that is asked where it names none. */
  open(name?: string): ReturnType<OpenModel>
  /** What the model was given of the conversation until now. Default: nothing. */
  messages?: () => readonly ModelMessage[]
  /** How the model is asked. Default: as its provider decides. */
  settings?: ModelSettings
  /** Told of each question that was put to the model, and what came of it. */
  onAnswer?: (request: InputRequest, answer: Answer) => void | Promise<void>
}

/** The one tool of such a request: its arguments are the answer. */
const ANSWER = 'answer'

/**
 * Makes the port through which a model answers questions: each is a request of its own, behind what the model knows of the
 * conversation, with the question's schema as what it must call. A model that cannot be opened is nobody, and why is the message.
 * The settings of a question's route (`name`, `instructions`, `maxOutputTokens`) come before those given here.
 */
export function createModelAnswerer(options: ModelAnswererOptions): AnswerQuestion {
  return async (request, context) => {
    const opened = await options.open(readSettings(context.settings).name)
    if (!opened.ok) return { action: 'cancel', reason: 'nobody', message: opened.message }
    const answer = await createModelAnswers({
      model: askThrough(opened.model, options),
      // The request has the blocks, which are written as all others of the conversation.
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
      description: 'Gives the answer to the question of the tool.',
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
    const said = await askModel(model, request, { signal, show: () => {} })
    // What was cut may not be the whole answer.
    if (!said || said.cut) return undefined
    const call = said.message.calls.find((each) => each.name === ANSWER)
    return call ? call.arguments : readJson(formatBlocks(said.message.content))
  }
}

/** Settings of a route are written by whoever configures the tool: what has another type says nothing. */
function readSettings(given: unknown): ModelSettings & { name?: string } {
  const { name, instructions, maxOutputTokens } = isJsonObject(given) ? given : {}
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof instructions === 'string' && { instructions }),
    ...(typeof maxOutputTokens === 'number' && { maxOutputTokens }),
  }
}

const HOW_TO_ANSWER = `Call "${ANSWER}" with your answer.`

/** Some servers know no tool that must be called: their model may have written the JSON. */
function readJson(text: string): unknown {
  const [, inside] = /^\s*```(?:json)?\n([^]*)\n```\s*$/.exec(text) ?? []
  try {
    return JSON.parse(inside ?? text)
  } catch {
    return text
  }
}
