import type { Compaction, StoredEvent } from '@toolblocks/conversation-store'
import type { InquiryEvent, JsonObject } from '@toolblocks/protocol'
import { describeRecords, recordOf } from './describe-records.ts'

/** What an event says besides messages, calls and results, before it is written for somebody. All strings are as they came. */
export interface DescribedNote {
  /** What it is, for example `question`. */
  title: string
  /** What else there is to know in the same line. */
  facts: readonly string[]
  /** What was said with it; empty where nothing was. */
  text: string
  values: JsonObject
}

/** Says of an event what it is and what it tells. */
export function describeNote(event: StoredEvent['event']): DescribedNote {
  switch (event.type) {
    case 'question':
      return note('question', [`to ${event.asked}`], event.question.text)
    case 'answer':
      return describeAnswer(event)
    case 'approval': {
      const { decision, by, reason, arguments: changed } = event
      return note(decision, [`by ${by === 'user' ? 'a person' : 'a rule'}`], reason, changed)
    }
    case 'configuration':
      return note('settings', [], '', event.values)
    case 'compaction':
      return note('compaction', describeCompaction(event), event.summary)
    case 'rewind':
      return note('rewind', [`to #${event.to}`])
    case 'unknown':
      return note(describeRecords([event]), [], '', recordOf(event))
    case 'turn_start':
    case 'user_message':
    case 'assistant_message':
    case 'tool_call':
    case 'tool_result':
    case 'delivery':
      return note(event.type.replaceAll('_', ' '))
  }
}

/** The same where the call that it is of is not there: with the id of the call. */
export function describeLoneNote(event: StoredEvent['event']): DescribedNote {
  const told = describeNote(event)
  const callId = 'callId' in event ? event.callId : undefined
  return callId === undefined ? told : { ...told, facts: [...told.facts, `for call ${callId}`] }
}

function note(
  title: string,
  facts: readonly string[] = [],
  text = '',
  values: JsonObject = {},
): DescribedNote {
  return { title, facts, text, values }
}

function describeCompaction({
  fromTurn,
  toTurn,
  reasoning,
  toolCalls,
}: Compaction): readonly string[] {
  return [
    `turns ${fromTurn}–${toTurn}`,
    ...(reasoning ? [`reasoning: ${reasoning}`] : []),
    ...(toolCalls ? [`tool calls: ${toolCalls}`] : []),
  ]
}

function describeAnswer(answer: Extract<InquiryEvent, { type: 'answer' }>): DescribedNote {
  switch (answer.action) {
    case 'accept':
      return 'value' in answer
        ? note('answer', [], '', { value: answer.value })
        : note('answer', ['a secret, which is not recorded'])
    case 'decline':
      return note('answer', ['declined'])
    case 'cancel':
      return note('answer', [`cancelled: ${answer.reason}`])
  }
}
