import {
  type AnswerQuestion,
  type AskPorts,
  type AskedParty,
  type InputRequest,
  type JsonValue,
  type QuestionSource,
  isSecret,
} from '@toolblocks/protocol'
import type { QuestionRoute } from '../questions/routes.ts'

/** A person or a model that answers a question. */
export type Answerer =
  | { kind: 'port'; asked: 'user' | 'assistant'; port: AnswerQuestion; settings?: unknown }
  | { kind: 'default'; value: JsonValue }

/**
 * Returns the answerer that the route names, and its fallback: a person, unless the route says otherwise. A model is never asked for secrets or for
 * pages to visit, and is asked a server's questions only if the route names it.
 */
export function chooseAnswerers(
  request: InputRequest,
  { route, source, ports }: { route: QuestionRoute; source: QuestionSource; ports: AskPorts },
): readonly Answerer[] {
  const isForPeople = isSecret(request) || request.url !== undefined
  const assistant = isForPeople ? undefined : ports.assistant
  return [
    ...targeted(route, { user: ports.user, assistant }),
    ...fallenBackTo(request, route, source.kind === 'elicitation' ? undefined : assistant),
  ]
}

function targeted(
  { target = 'user' }: QuestionRoute,
  { user, assistant }: { user: AnswerQuestion | undefined; assistant: AnswerQuestion | undefined },
): readonly Answerer[] {
  if (target === 'user') return user ? [{ kind: 'port', asked: 'user', port: user }] : []
  if (!assistant) return []
  const settings = typeof target === 'object' && { settings: target.settings }
  return [{ kind: 'port', asked: 'assistant', port: assistant, ...settings }]
}

function fallenBackTo(
  request: InputRequest,
  { fallback = 'fail', target = 'user' }: QuestionRoute,
  assistant: AnswerQuestion | undefined,
): readonly Answerer[] {
  switch (fallback) {
    case 'assistant':
      return assistant && target === 'user'
        ? [{ kind: 'port', asked: 'assistant', port: assistant }]
        : []
    case 'default':
      return request.default === undefined ? [] : [{ kind: 'default', value: request.default }]
    case 'fail':
      return []
  }
}

/** A question without an answer. */
interface Unanswered {
  route: QuestionRoute
  source: QuestionSource
  /** The answerers that could not answer, with their messages. */
  messages: ReadonlyMap<AskedParty, string | undefined>
}

/** Explains who should have answered a question, and why that answerer and the fallback could not. */
export function explainNobody(
  request: InputRequest,
  { route, source, messages }: Unanswered,
): string {
  const { target = 'user', fallback = 'fail' } = route
  const first = target === 'user' ? explainUser(messages) : explainModel(request, messages)
  const second = explainFallback(request, { target, fallback, source, messages })
  return second === undefined ? first : `${first}; ${second}`
}

function explainUser(messages: Unanswered['messages']): string {
  return `it is a question for a person, and ${messages.get('user') ?? 'no person is available'}`
}

function explainModel(request: InputRequest, messages: Unanswered['messages']): string {
  const what = 'it is a question for the model'
  if (isSecret(request)) return `${what}, and a model is never asked for a secret`
  if (request.url !== undefined) return `${what}, and a model is never asked to visit a page`
  return `${what}, and ${messages.get('assistant') ?? 'no model is available'}`
}

function explainFallback(
  request: InputRequest,
  {
    target,
    fallback,
    source,
    messages,
  }: { target: QuestionRoute['target']; fallback: QuestionRoute['fallback'] } & Pick<
    Unanswered,
    'source' | 'messages'
  >,
): string | undefined {
  switch (fallback) {
    case 'assistant':
      if (target !== 'user') return undefined
      return source.kind === 'elicitation'
        ? 'a question of a server never falls back to a model'
        : explainModel(request, messages).replace(/^it is a question for/, 'it falls back to')
    case 'default':
      return 'it falls back to its default, and it has no default'
    case 'fail':
    case undefined:
      return undefined
  }
}
