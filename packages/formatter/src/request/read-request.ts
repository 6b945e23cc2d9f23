import { requireFormatOptions } from '../text/format-block.ts'
import { formatNote, requireArguments, quoteBriefly } from '@toolblocks/protocol/internal'
import { type ContentBlock, type ModelText, type ToolCall } from '@toolblocks/protocol'
import { CROWDED, checkMedia } from '../media/check-media.ts'
import { type Media, findFittedPicture, findMedia, isPerceptible } from '../media/find-media.ts'
import { formatWithin, type ResultFormat } from '../deliver/deliver-result.ts'
import { explainUnscaled, type ModelParts, toModelParts } from '../media/to-model-parts.ts'
import type { ModelProfile } from '../model/model-profile.ts'
import type {
  ResultForModel,
  ModelResponse,
  ModelCall,
  ModelMessage,
  ModelRequest,
} from '../model/model-request.ts'
import { formatBlocks } from '../text/format-result.ts'
import { oneLine, toModelText } from '../text/model-text.ts'
import { type ToolNames, createClaims } from '../tools/tool-names.ts'
import type { RequestChange } from '../tools/request-change.ts'
import { type ProviderTool, toProviderTools } from '../tools/to-provider-tools.ts'
import {
  type Crowded,
  findCrowded,
  narrowProfile,
  addPlaceholders,
} from './find-content-in-request.ts'

/** Options for converting a request for a provider. */
export interface RequestOptions extends ResultFormat {
  /** What the provider accepts. Default: the provider's profile. */
  profile?: ModelProfile
}

/** A request in the order and with the names that a provider accepts. Only the provider's format is missing. */
export interface ReadRequest {
  turns: readonly RequestTurn[]
  tools: readonly ProviderTool[]
  names: ToolNames
  changes: readonly RequestChange[]
  profile: ModelProfile
  options: ResultFormat
}

/** A user message, or a model response with the results of all its calls. */
export type RequestTurn =
  | { role: 'user'; parts: readonly UserPart[] }
  | { role: 'assistant'; message: ModelResponse; answered: readonly AnsweredCall[] }

/** A part of a user message: text or media. */
type UserPart = { type: 'text'; text: ModelText } | { type: 'media'; media: Media }

/** A call and its result, with the provider's names. */
export interface AnsweredCall extends Pick<ToolCall, 'id' | 'name' | 'arguments'> {
  /** The call as the model made it. */
  call: ModelCall
  result: ModelParts
}

/** The media limits of one request. */
interface Limits extends Pick<ReadRequest, 'profile' | 'options'> {
  /** Media that are omitted because of the limit. */
  crowded: Crowded
  /** Blocks whose reference has no target in this request. */
  broken: Crowded
}

/**
 * Converts a request for a provider. Every call has one result, in the order of the calls and directly after them; no result is without a call. Ids
 * are valid for the provider and unique in the conversation.
 */
export function readRequest(
  request: ModelRequest,
  fullProfile: ModelProfile,
  options: ResultFormat,
): ReadRequest {
  requireArguments(
    'readRequest(request, fullProfile, options)',
    [request, { messages: 'array' }],
    [fullProfile, 'object'],
    [options, 'object'],
  )
  requireFormatOptions('readRequest(request, fullProfile, options)', 'options', options)
  const { messages, tools } = request
  const crowded = findCrowded(messages, fullProfile)
  const profile = narrowProfile(fullProfile, messages)
  const { broken } = addPlaceholders(messages, profile, crowded)
  const provided = toProviderTools(tools, messages, profile)
  const limits: Limits = { profile, options, crowded, broken }
  const claim = createClaims(profile.callIds)
  const turns: RequestTurn[] = []
  const changes: RequestChange[] = []
  const used = new Set<ResultForModel>()
  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case 'user':
        turns.push({ role: 'user', parts: toUserParts(message.content, limits) })
        break
      case 'assistant': {
        const results = resultsFor(messages, index)
        const answered = message.calls.map((call, callIndex): AnsweredCall => {
          const path = `/messages/${index}/calls/${callIndex}`
          const id = claim(call.id)
          if (id !== call.id) changes.push(idChanged(path, call.id, id))
          const resultForModel = results.get(call.id)?.shift()
          if (!resultForModel) changes.push(resultMissing(path, call))
          else used.add(resultForModel)
          const providerCall = provided.names.toProvider(call)
          const result = formatToolResult(
            resultForModel ?? unanswered(call),
            { id, name: providerCall.name },
            limits,
          )
          return { id, ...providerCall, call, result }
        })
        turns.push({ role: 'assistant', message, answered })
        break
      }
      case 'tool':
        for (const [resultIndex, each] of message.results.entries())
          if (!used.has(each))
            changes.push(withoutCall(`/messages/${index}/results/${resultIndex}`, each))
    }
  }
  return { ...provided, turns, changes: [...provided.changes, ...changes], profile, options }
}

const LEFT = { ok: false, reason: CROWDED } as const

/** Converts a user message and its attachments into parts, in order. No part is empty. */
function toUserParts(
  blocks: readonly ContentBlock[],
  { profile, options, crowded }: Limits,
): readonly UserPart[] {
  const parts: UserPart[] = []
  let textBlocks: ContentBlock[] = []
  const flushWords = () => {
    const text = formatBlocks(textBlocks, options)
    if (text.trim() !== '') parts.push({ type: 'text', text })
    textBlocks = []
  }
  const left = crowded.get(blocks)
  for (const [index, block] of blocks.entries()) {
    const media = findMedia(block)
    const checked =
      media && (left?.has(index) ? LEFT : checkMedia(media, block, profile.inMessages, profile))
    if (checked?.ok) {
      flushWords()
      parts.push({ type: 'media', media: checked.media })
      const fitted = findFittedPicture(block)
      if (fitted?.media) parts.push(toNote(`The image above was ${fitted.note}.`))
      continue
    }
    textBlocks.push(block)
    if (media && checked && isPerceptible(media)) {
      flushWords()
      const reason = `${checked.reason}${explainUnscaled(block)}`
      parts.push(toNote(`The ${oneLine(media.mediaType)} above was omitted: ${reason}.`))
    }
  }
  flushWords()
  return parts
}

function toNote(text: string): UserPart {
  return { type: 'text', text: toModelText(formatNote(text)) }
}

/** Returns the results between a response and the next one, by the id of the call. */
function resultsFor(
  messages: readonly ModelMessage[],
  index: number,
): Map<string, ResultForModel[]> {
  const results = new Map<string, ResultForModel[]>()
  for (let position = index + 1; position < messages.length; position += 1) {
    const message = messages[position]
    if (message?.role === 'assistant') break
    if (message?.role !== 'tool') continue
    for (const resultForModel of message.results) {
      const same = results.get(resultForModel.call.id)
      if (same) same.push(resultForModel)
      else results.set(resultForModel.call.id, [resultForModel])
    }
  }
  return results
}

const NO_RESULT = 'The result of this call was not stored. It is unknown whether the call ran.'

function unanswered({ id, name }: ModelCall): ResultForModel {
  const content = [{ type: 'text', text: NO_RESULT }] as const
  return {
    call: { id, name },
    result: { id, content, isError: true, metadata: { outcome: 'cancelled' } },
  }
}

function formatToolResult(
  { result, text, deliveries }: ResultForModel,
  call: Pick<ToolCall, 'id' | 'name'>,
  { profile, crowded, broken, options }: Limits,
): ModelParts {
  const left = crowded.get(result.content)
  const untrue = broken.get(result.content)
  return toModelParts(result, profile, {
    ...options,
    // A text with a reference whose target is missing, for example after a compaction, is formatted again.
    text: text !== undefined && !untrue ? text : formatWithin(result, options),
    ...(deliveries && { deliveries: deliveries.filter(({ block }) => !untrue?.has(block)) }),
    ...(left && { crowded: left }),
    call,
  })
}

function idChanged(path: string, id: string, got: string): RequestChange {
  return {
    path: `${path}/id`,
    code: 'call-id-changed',
    message: `the call's id ${quoteBriefly(id)} is ${got} for this provider, which does not take it or had it before`,
  }
}

function resultMissing(path: string, { name }: ModelCall): RequestChange {
  return {
    path,
    code: 'result-missing',
    message: `the call of ${quoteBriefly(name)} has no result: the model receives a note`,
  }
}

function withoutCall(path: string, { call }: ResultForModel): RequestChange {
  return {
    path,
    code: 'result-without-call',
    message: `the result answers no call of the message before (${quoteBriefly(call.id)}): it was omitted`,
  }
}
