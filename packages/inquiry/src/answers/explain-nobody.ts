import {
  type AskedParty,
  type InputRequest,
  isSecret,
  type QuestionSource,
} from '@toolblocks/protocol'
import type { Route } from '../routes.ts'

/** What is known of a question that nobody answered. */
interface Unanswered {
  route: Route
  source: QuestionSource
  /** Who was asked and could not answer, with what they said of it. */
  told: ReadonlyMap<AskedParty, string | undefined>
}

/** Says who was to answer a question, and why that one and whoever stood in for them could not be asked. */
export function explainNobody(request: InputRequest, { route, source, told }: Unanswered): string {
  const { target = 'user', fallback = 'fail' } = route
  const first = target === 'user' ? explainUser(told) : explainModel(request, told)
  const second = explainFallback(request, { target, fallback, source, told })
  return second === undefined ? first : `${first}; ${second}`
}

function explainUser(told: Unanswered['told']): string {
  return `it is a question for a person, and ${told.get('user') ?? 'nobody is here to be asked'}`
}

function explainModel(request: InputRequest, told: Unanswered['told']): string {
  const what = 'it is a question for the model'
  if (isSecret(request)) return `${what}, and a model is never asked for a secret`
  if (request.url !== undefined) return `${what}, and a model is never asked to visit a page`
  return `${what}, and ${told.get('assistant') ?? 'no model is here to be asked'}`
}

function explainFallback(
  request: InputRequest,
  {
    target,
    fallback,
    source,
    told,
  }: { target: Route['target']; fallback: Route['fallback'] } & Pick<Unanswered, 'source' | 'told'>,
): string | undefined {
  switch (fallback) {
    case 'assistant':
      if (target !== 'user') return undefined
      return source.kind === 'elicitation'
        ? 'a question of a server falls back to no model'
        : explainModel(request, told).replace(/^it is a question for/, 'it falls back to')
    case 'default':
      return 'it falls back to its default, and the tool gave none'
    case 'fail':
    case undefined:
      return undefined
  }
}
