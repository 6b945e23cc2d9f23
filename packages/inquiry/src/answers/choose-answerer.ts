import type {
  AnswerQuestion,
  AskPorts,
  InputRequest,
  JsonValue,
  QuestionSource,
} from '@toolblocks/protocol'
import { isSecret } from '../questions/is-secret.ts'
import type { Route } from '../routes.ts'

/** Who or what answers a question. */
export type Answerer =
  | { kind: 'port'; asked: 'user' | 'assistant'; port: AnswerQuestion }
  | { kind: 'default'; value: JsonValue }
  | { kind: 'nobody' }

/**
 * Chooses by the route: a person unless it says otherwise. A model is never asked for secrets or pages to visit, and for a
 * server's questions only where the route says so.
 */
export function chooseAnswerer(
  request: InputRequest,
  { route, source, ports }: { route: Route; source: QuestionSource; ports: AskPorts },
): Answerer {
  const forPeople =
    isSecret(request) ||
    request.url !== undefined ||
    (source.kind === 'elicitation' && source.url !== undefined)
  const assistant = forPeople ? undefined : ports.assistant
  if ((route.target ?? 'user') !== 'user' && assistant)
    return { kind: 'port', asked: 'assistant', port: assistant }
  if ((route.target ?? 'user') === 'user' && ports.user)
    return { kind: 'port', asked: 'user', port: ports.user }
  switch (route.fallback ?? 'fail') {
    case 'assistant':
      return assistant && source.kind !== 'elicitation'
        ? { kind: 'port', asked: 'assistant', port: assistant }
        : { kind: 'nobody' }
    case 'default':
      return request.default === undefined
        ? { kind: 'nobody' }
        : { kind: 'default', value: request.default }
    case 'fail':
      return { kind: 'nobody' }
  }
}
