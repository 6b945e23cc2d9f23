import type { JsonValue } from '@toolblocks/protocol'

/** Who is asked: a person, the model of the conversation, or a model with its own `settings`, which the host reads. */
export type AnswererName = 'user' | 'assistant' | { readonly settings: unknown }

/** How one question of one tool is answered; the tool has no say in it. */
export interface QuestionRoute {
  /** Default: `user`. */
  target?: AnswererName
  /** Taken without asking, if it fits the question's schema; else the target is asked. */
  answer?: JsonValue
  /** What happens where the target cannot be asked. Default: `fail`. */
  fallback?: 'fail' | 'assistant' | 'default'
}

/** Routes by question id. */
export type QuestionRoutes = Readonly<Record<string, QuestionRoute>>

/** The route of a question; own keys only, as ids come from tools. */
export function findRoute(routes: QuestionRoutes, id: string): QuestionRoute {
  return Object.hasOwn(routes, id) ? (routes[id] ?? {}) : {}
}
