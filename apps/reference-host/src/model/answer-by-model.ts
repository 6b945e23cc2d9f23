import { formatBlocks, type ModelMessage, type ModelRequest } from '@toolblocks/formatter'
import { createModelAnswers, type AskModel } from '@toolblocks/inquiry/model'
import {
  type Answer,
  type AnswerQuestion,
  type InputRequest,
  type ToolDefinition,
} from '@toolblocks/protocol'
import { askModel } from '../turn/ask-model.ts'
import type { AnsweringModel } from '../configuration/configuration.ts'
import type { Model } from './model.ts'
import type { OpenedModel } from './open-model.ts'

/** What a model answers the questions of tools with. */
export interface ModelAnswererParts {
  /** Opens the model of the workspace, or another one of its provider. */
  open(name: string | undefined): Promise<OpenedModel>
  /** What the model was given of the conversation until now. */
  messages(): readonly ModelMessage[]
  settings: ModelSettings
  /** Told of each question that was put to the model, and what came of it. */
  onAnswer?: (request: InputRequest, answer: Answer) => void | Promise<void>
}

/** What is the same in all requests to a model. */
export type ModelSettings = Pick<ModelRequest, 'instructions' | 'maxOutputTokens'>

/** Reads what a table of the configuration says of requests to a model. */
export function modelSettings({
  instructions,
  max_output_tokens: maxOutputTokens,
}: Omit<AnsweringModel, 'name'>): ModelSettings {
  return {
    ...(instructions !== undefined && { instructions }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  }
}

/** The one tool of such a request: its arguments are the answer. */
const ANSWER = 'answer'

/**
 * Makes the port through which a model answers questions: each is a request of its own, behind what the model knows of the
 * conversation, with the question's schema as what it must call. A model that cannot be opened is nobody, and why is the message.
 */
export function createModelAnswerer(parts: ModelAnswererParts): AnswerQuestion {
  const { onAnswer } = parts
  return async (request, context) => {
    const own: AnsweringModel = Object(context.settings)
    const opened = await parts.open(own.name)
    if (!opened.ok) return { action: 'cancel', reason: 'nobody', message: opened.message }
    const answer = await createModelAnswers({
      model: askThrough(opened.model, parts),
      // The request has the blocks, which are written as all others of the conversation.
      formatBlocks,
    })(request, context)
    await onAnswer?.(request, answer)
    return answer
  }
}

function askThrough(model: Model, { messages, settings }: ModelAnswererParts): AskModel {
  return async ({ blocks, schema, settings: own }, { signal }) => {
    const tool: ToolDefinition = {
      name: ANSWER,
      description: 'Gives the answer to the question of the tool.',
      inputSchema: schema,
    }
    const request: ModelRequest = {
      messages: [
        ...messages(),
        { role: 'user', content: [...blocks, { type: 'text', text: HOW_TO_ANSWER }] },
      ],
      tools: [tool],
      toolChoice: 'required',
      ...settings,
      ...modelSettings(Object(own)),
    }
    const said = await askModel(model, request, { signal, show: () => {} })
    // What was cut may not be the whole answer.
    if (!said || said.cut) return undefined
    const call = said.message.calls.find(({ name }) => name === ANSWER)
    return call ? call.arguments : readJson(formatBlocks(said.message.content))
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
