import type { JsonValue } from '@toolblocks/protocol'

/** Who is asked: a person, the model of the conversation, or a model with its own settings. */
export type Target = 'user' | 'assistant' | { readonly settings: unknown }

/** How one question of one tool is answered; the tool has no say in it. */
export interface Route {
  /** Default: `user`. */
  target?: Target
  /** Taken without asking, if it fits the question's schema; else the target is asked. */
  answer?: JsonValue
  /** What happens where the target cannot be asked. Default: `fail`. */
  fallback?: 'fail' | 'assistant' | 'default'
}

/** Routes by question id. */
export type Routes = Readonly<Record<string, Route>>

/** The route of a question; own keys only, as ids come from tools. */
export function routeOf(routes: Routes, id: string): Route {
  return Object.hasOwn(routes, id) ? (routes[id] ?? {}) : {}
}
