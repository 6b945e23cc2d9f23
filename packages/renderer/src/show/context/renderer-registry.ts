import { isValidKind, type ToolResultValue } from '@toolblocks/protocol'
import type { ValueContext } from './show-context.ts'
import type { ShownPart } from '../shown-part.ts'

/**
 * Says what a person is shown of a value's `data`; its summary stands above. Nothing has checked `data` for a kind that is not
 * well known. Where it throws, the value is shown as if it were not registered, and a remark says so.
 */
export type ValueRenderer = (value: ToolResultValue, context: ValueContext) => readonly ShownPart[]

/** Renderers by the kind of value that they show. */
export interface RendererRegistry {
  /**
   * Adds the renderer of a kind, also of a well-known one, in place of one that was there. Returns the registry. Throws
   * `RendererError` for what can be no kind.
   */
  register(kind: string, renderer: ValueRenderer): RendererRegistry
  /** The renderer of a kind; undefined where there is none. */
  find(kind: string): ValueRenderer | undefined
}

/** A renderer was registered for what is no kind of value. */
export class RendererError extends Error {
  readonly code = 'invalid-kind'
  override readonly name = 'RendererError'
}

/** Makes a registry without renderers. */
export function createRendererRegistry(): RendererRegistry {
  const renderers = new Map<string, ValueRenderer>()
  const registry: RendererRegistry = {
    register: (kind, renderer) => {
      if (!isValidKind(kind))
        throw new RendererError(
          `Cannot register a renderer for ${JSON.stringify(kind)}: expected a kind of lower-case words joined by dots, such as "git.status".`,
        )
      renderers.set(kind, renderer)
      return registry
    },
    find: (kind) => renderers.get(kind),
  }
  return registry
}
