import type { ModelRequest } from '../conversation/model-request.ts'
import type { FormatOptions } from '../format-options.ts'
import type { ModelProfile } from '../model-parts/model-profile.ts'
import { type ModelParts, toModelParts } from '../model-parts/to-model-parts.ts'
import { type Crowded, findCrowded } from './find-crowded.ts'
import { standingIn } from './find-standing.ts'
import { narrowProfile } from './narrow-profile.ts'
import type { RequestChange } from './request-change.ts'
import type { ToolNames } from '../tools/tool-names.ts'
import { type ProviderTool, toProviderTools } from '../tools/to-provider-tools.ts'
import { type AnsweredCall, toTurns, type Turn } from './to-turns.ts'

/** How a request is written for a provider. */
export interface RequestOptions extends FormatOptions {
  /** What the provider takes. Default: what it is known to take. */
  profile?: ModelProfile
}

/** A request in the order and the names that a provider takes; only the shapes are left to write. */
export interface ReadRequest {
  turns: readonly Turn[]
  tools: readonly ProviderTool[]
  names: ToolNames
  changes: readonly RequestChange[]
  /** For this request: limits may depend on how much is in it. */
  profile: ModelProfile
  /** Media that are left out, because the request has no room for them. */
  crowded: Crowded
  /** Blocks of results that point to what is not in this request. */
  broken: Crowded
  options: FormatOptions
}

/** Reads a request for a provider. */
export function readRequest(
  { messages, tools }: ModelRequest,
  given: ModelProfile,
  options: FormatOptions,
): ReadRequest {
  const crowded = findCrowded(messages, given)
  const profile = narrowProfile(given, messages)
  const { broken } = standingIn(messages, profile, crowded)
  const { turns, changes } = toTurns(messages, profile.callIds)
  const provided = toProviderTools(tools, messages, profile)
  return {
    ...provided,
    turns,
    changes: [...provided.changes, ...changes],
    profile,
    crowded,
    broken,
    options,
  }
}

/** Writes the result of a call. */
export function partsOf(
  { id, call, given }: AnsweredCall,
  { names, profile, crowded, broken, options }: ReadRequest,
): ModelParts {
  const { result, text, deliveries } = given
  const left = crowded.get(result.content)
  const untrue = broken.get(result.content)
  return toModelParts(result, profile, {
    ...options,
    // A text that points to what is not there is written anew, as it is where a compaction took that away.
    ...(text !== undefined && !untrue && { text }),
    ...(deliveries && { deliveries: deliveries.filter(({ block }) => !untrue?.has(block)) }),
    ...(left && { crowded: left }),
    call: { id, name: names.toProvider(call).name },
  })
}
