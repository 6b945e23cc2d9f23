import { requireArguments } from '@toolblocks/protocol/internal'
import type { JsonValue } from '@toolblocks/protocol'

/** The answerer: a person, the model of the conversation, or a model with its own `settings`, which the host reads. */
type AnswererName = 'user' | 'assistant' | { readonly settings: unknown }

/** How one question of one tool is answered. The tool cannot change it. */
export interface QuestionRoute {
  /** The answerer. Default: `user`. */
  target?: AnswererName
  /** An answer for this question. If it is valid, nobody is asked; else the target is asked. */
  answer?: JsonValue
  /** What happens if the target is not available. Default: `fail`. */
  fallback?: 'fail' | 'assistant' | 'default'
}

/** Routes by question id. */
export type QuestionRoutes = Readonly<Record<string, QuestionRoute>>

/** Returns the route of a question. Reads own keys only, because ids come from tools. */
export function findRoute(routes: QuestionRoutes, id: string): QuestionRoute {
  requireArguments('findRoute(routes, id)', [routes, 'object'], [id, 'string'])
  return Object.hasOwn(routes, id) ? (routes[id] ?? {}) : {}
}
