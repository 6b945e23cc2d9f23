import {
  booleanQuestion,
  type Answer,
  type InputRequest,
  type JsonValue,
  PORT_GRACE_MS,
  type Problem,
  type QuestionContext,
  withinGrace,
} from '@toolblocks/protocol'
import type { Answerer } from './choose-answerers.ts'
import { describeMisfit } from '../questions/describe-misfit.ts'
import { notSettled } from '../inquiry-problem.ts'
import type { Asking } from './asking.ts'

/** How often one question is put before its wrong answers end it. */
export const MAX_TRIES = 3

type PortAnswerer = Extract<Answerer, { kind: 'port' }>

/** Puts a question through a port; a wrong answer is asked for again with its problems. */
export async function askUntilItFits(answerer: PortAnswerer, asking: Asking): Promise<Answer> {
  const { request, material } = asking.question
  const { settings } = answerer
  let context: QuestionContext = {
    ...asking.context,
    blocks: [...asking.context.blocks, ...material],
    ...(settings !== undefined && { settings }),
  }
  for (let attempt = 1; ; attempt++) {
    const conclude = await asking.put(request, answerer.asked)
    const answer = await askPort(request, context, { answerer, asking })
    const problems =
      answer.action === 'accept'
        ? await findProblems(answer.value, context, { answerer, asking })
        : []
    if (problems.length === 0) {
      await conclude(answer)
      return answer
    }
    await conclude({ action: 'cancel', reason: 'wrong-answer' })
    if (attempt === MAX_TRIES) return tooManyTries(request, answerer, problems)
    context = { ...context, problems }
  }
}

/** A model that cannot answer has failed; a person has not, and may be asked another time. */
function tooManyTries(
  request: InputRequest,
  { asked }: PortAnswerer,
  problems: readonly Problem[],
): Answer {
  const misfit = describeMisfit(request, problems)
  const message = `no answer to "${request.id}" fitted in ${MAX_TRIES} tries; of the last one: ${misfit}`
  switch (asked) {
    case 'user':
      return { action: 'cancel', reason: 'wrong-answer', message }
    case 'assistant':
      return { action: 'cancel', reason: 'failed', message }
  }
}

interface PortUse {
  answerer: PortAnswerer
  asking: Asking
}

/** A port that breaks is said, and what broke it is the reason. */
async function askPort(
  request: InputRequest,
  context: QuestionContext,
  { answerer, asking }: PortUse,
): Promise<Answer> {
  if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
  try {
    const shown = answerer.asked === 'user' ? asking.show(context) : context
    return await withinGrace(async () => await answerer.port(request, shown), {
      signal: context.signal,
      ms: PORT_GRACE_MS,
      whenLate: () => {
        const who = `who was asked "${request.id}" (${answerer.asked})`
        asking.warn(notSettled(who, PORT_GRACE_MS))
        return { action: 'cancel', reason: 'aborted' }
      },
    })
  } catch (error) {
    if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
    const reason = error instanceof Error ? error.message : String(error)
    const message = `asking "${request.id}" failed: ${reason}`
    asking.warn({ path: '', message, code: 'port-failed' })
    return { action: 'cancel', reason: 'failed', message }
  }
}

/** An answer nobody can check is a person's to confirm, and no model's to give. */
async function findProblems(
  value: JsonValue,
  context: QuestionContext,
  use: PortUse,
): Promise<readonly Problem[]> {
  const { request, check } = use.asking.question
  const { verdict, problems } = check(value)
  switch (verdict) {
    case 'valid':
      return []
    case 'invalid':
      return problems
    case 'unchecked': {
      if (use.answerer.asked !== 'user') return problems
      const reason = problems.map(({ message }) => message).join('; ')
      const text = `The answer to "${request.text}" could not be checked (${reason}). Use it all the same?`
      const confirmation = booleanQuestion({ id: `${request.id}.unchecked`, text, default: false })
      const conclude = await use.asking.put(confirmation, 'user')
      const confirmed = await askPort(confirmation, context, use)
      await conclude(confirmed)
      return confirmed.action === 'accept' && confirmed.value === true ? [] : problems
    }
  }
}
