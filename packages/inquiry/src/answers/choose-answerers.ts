import {
  type AnswerQuestion,
  type AskPorts,
  type InputRequest,
  type JsonValue,
  type QuestionSource,
  isSecret,
} from '@toolblocks/protocol'
import type { Route } from '../routes.ts'

/** Who or what answers a question. */
export type Answerer =
  | { kind: 'port'; asked: 'user' | 'assistant'; port: AnswerQuestion; settings?: unknown }
  | { kind: 'default'; value: JsonValue }

/**
 * Names by the route who answers, and who does where that one cannot be asked: a person unless it says otherwise. A model is
 * never asked for secrets or pages to visit, and for a server's questions only where the route names it.
 */
export function chooseAnswerers(
  request: InputRequest,
  { route, source, ports }: { route: Route; source: QuestionSource; ports: AskPorts },
): readonly Answerer[] {
  const isForPeople = isSecret(request) || request.url !== undefined
  const assistant = isForPeople ? undefined : ports.assistant
  return [
    ...targeted(route, { user: ports.user, assistant }),
    ...fallenBackTo(request, route, source.kind === 'elicitation' ? undefined : assistant),
  ]
}

function targeted(
  { target = 'user' }: Route,
  { user, assistant }: { user: AnswerQuestion | undefined; assistant: AnswerQuestion | undefined },
): readonly Answerer[] {
  if (target === 'user') return user ? [{ kind: 'port', asked: 'user', port: user }] : []
  if (!assistant) return []
  const settings = typeof target === 'object' && { settings: target.settings }
  return [{ kind: 'port', asked: 'assistant', port: assistant, ...settings }]
}

function fallenBackTo(
  request: InputRequest,
  { fallback = 'fail', target = 'user' }: Route,
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
