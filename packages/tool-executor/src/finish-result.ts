import { createHash } from 'node:crypto'
import {
  type CallContext,
  type ContentBlock,
  type JsonObject,
  type Outcome,
  type Problem,
  type Resource,
  type ResourceIdentity,
  type Tool,
  type ToolCall,
  type ToolResult,
  canonicalUri,
  createFailure,
  isToolResult,
} from '@toolblocks/protocol'
import {
  appendPointer,
  describeValue,
  findNonJson,
  isPlainObject,
  isResultMetadata,
  requireArguments,
  withOriginalWireFields,
  withWarnings,
} from '@toolblocks/protocol/internal'
import type { ExecutorProblem } from './executor-problem.ts'

/** Wraps a tool so that it always returns a result made of JSON. Any other value that untyped code returns is a failure of the tool. */
export function withCheckedResult(tool: Tool): Tool {
  return {
    ...tool,
    execute: async (call, context) => checkResult(await tool.execute(call, context), call.name),
  }
}

/** Returns the result, or a failure that says why it is invalid. A result that is not JSON would change when it is stored. */
export function checkResult(value: unknown, name: string): ToolResult {
  const { result, warnings } = isPlainObject(value)
    ? readMetadata(value)
    : { result: value, warnings: [] }
  if (!isToolResult(result))
    return createFailure(
      `The tool "${name}" returned a value that is not a result; expected {content: [...], isError: true or false}.`,
    )
  const problem = findNonJson(result)
  if (problem === undefined) return withWarnings(result, { after: warnings })
  return createFailure(
    `The tool "${name}" returned a value that is not JSON, at ${problem.path}: ${problem.message}.`,
  )
}

/** Keys that only an executor writes. A tool's value for them is not trusted. `resources` are always computed again. */
const EXECUTORS = new Set(['handle', 'select', 'fixed'])

/**
 * Reads the `metadata` of a result of an in-process tool. Keys of the host must have their shape; other keys may hold any JSON. An invalid value is
 * kept under `_meta["toolblocks/wire"]`, because one invalid key does not invalidate the rest of the result.
 */
function readMetadata(rawResult: JsonObject): {
  result: JsonObject
  warnings: readonly ExecutorProblem[]
} {
  const { metadata, ...rest } = rawResult
  if (metadata === undefined) return { result: rest, warnings: [] }
  if (!isPlainObject(metadata))
    return {
      result: isStorable(metadata) ? withOriginalWireFields(rest, { metadata }) : rest,
      warnings: [describeOmission('/metadata', metadata, 'expected an object')],
    }
  const kept = new Map<string, unknown>()
  const claims = new Map<string, unknown>()
  const warnings: ExecutorProblem[] = []
  for (const [key, value] of Object.entries(metadata)) {
    const problem = findProblem(key, value)
    if (problem === undefined) {
      kept.set(key, value)
      continue
    }
    // A value that is not JSON cannot be stored.
    if (isStorable(value)) claims.set(key, value)
    warnings.push(describeOmission(appendPointer('/metadata', key), value, problem))
  }
  const result = { ...rest, metadata: Object.fromEntries(kept) }
  return {
    result:
      claims.size === 0
        ? result
        : withOriginalWireFields(result, { metadata: Object.fromEntries(claims) }),
    warnings,
  }
}

function findProblem(key: string, value: unknown): string | undefined {
  if (!isStorable(value)) return 'expected JSON'
  if (EXECUTORS.has(key)) return 'only the executor sets this key'
  return isResultMetadata({ [key]: value }) ? undefined : `expected the host's type for "${key}"`
}

/** Whether the value is JSON, within the depth limit at its position in the result. */
function isStorable(value: unknown): boolean {
  return !findNonJson({ result: { meta: { wire: { value } } } })
}

function describeOmission(path: string, value: unknown, problem: string): ExecutorProblem {
  const got = describeValue(value)
  const message = `the tool's ${path.slice(1).replaceAll('/', '.')} is not used: ${problem}, got ${got}; use a key of your own for your data`
  return { path, message, got, code: 'invalid-metadata' }
}

/** Adds the id of the call, the outcome, and the identity of the resources to a result. */
export function finishResult(
  result: ToolResult,
  call: ToolCall,
  { root }: CallContext,
): ToolResult {
  const { resources, problems } = identifyResources(result.content, root)
  const outcome = getOutcome(result)
  // The resources are those of the blocks. The tool's own claims are ignored.
  const { resources: _said, ...metadata } = withWarnings(result, { after: problems }).metadata ?? {}
  return {
    ...result,
    id: call.id,
    isError: outcome !== 'completed',
    metadata: { ...metadata, outcome, ...(resources && { resources }) },
  }
}

/** `completed` if and only if the result is not an error. */
function getOutcome({ isError, metadata }: ToolResult): Outcome {
  const outcome = metadata?.outcome ?? 'completed'
  return isError && outcome === 'completed' ? 'failed' : outcome
}

/** The identities of a result's resources by block index, and the problems of those without an identity. */
export interface IdentifiedResources {
  /** Absent if no block is a resource. */
  resources?: readonly (ResourceIdentity | null)[]
  problems: readonly Problem[]
}

/**
 * Names every embedded resource by its canonical URI and the SHA-256 of its raw content. The SHA-256 of `formatted` is separate. A URI without a
 * canonical form gives no identity and one problem.
 */
export function identifyResources(
  content: readonly ContentBlock[],
  root: string,
): IdentifiedResources {
  requireArguments('identifyResources(content, root)', [content, 'array'], [root, 'string'])
  if (!content.some((block) => block.type === 'resource')) return { problems: [] }
  const problems: Problem[] = []
  const resources = content.map((block, index) => {
    if (block.type !== 'resource') return null
    const canonical = canonicalUri(block.resource.uri, root)
    const problem = canonical.ok ? canonical.warning : canonical.problems[0]
    if (problem) problems.push({ ...problem, path: `/content/${index}/resource/uri` })
    if (!canonical.ok) return null
    const { formatted } = block
    return {
      uri: canonical.uri,
      ...measure(block.resource),
      ...(formatted !== undefined && { formatted: hashBytes(Buffer.from(formatted, 'utf8')) }),
    }
  })
  return { resources, problems }
}

function measure(resource: Resource): { sha256: string; bytes: number } {
  const bytes =
    resource.text === undefined
      ? Buffer.from(resource.blob, 'base64')
      : Buffer.from(resource.text, 'utf8')
  return { sha256: hashBytes(bytes), bytes: bytes.length }
}

function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
