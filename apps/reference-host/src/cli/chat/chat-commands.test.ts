import type { ConversationEvent, StoredEvent } from '@toolblocks/conversation-store'
import { createTerminalStyle } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import { describeCost, listCommands } from './chat-commands.ts'

const style = createTerminalStyle('none')

test('at 80 columns every command fits on one line', () => {
  expect(listCommands({ style, columns: 80 })).toMatchInlineSnapshot(`
    "  /tools       list the tools that the model may call
      /model       show the model; with a NAME, use another one from now on
      /cost        show the tokens that this conversation has used
      /model-view  also show each result as the model receives it, or stop doing so
      /attach      attach the current content of FILE to the next message
      /undo        undo the last turn; it stays in the store
      /compact     stop sending the results of earlier turns to the model
      /clear       begin a new conversation on an empty screen; this one stays
      /help        show this list
      /exit        end the chat; exit, quit and Ctrl-D do the same"
  `)
})

test('at 40 columns the description of a command continues below its beginning', () => {
  expect(listCommands({ style, columns: 40 })).toMatchInlineSnapshot(`
    "  /tools       list the tools that the
                   model may call
      /model       show the model; with a
                   NAME, use another one
                   from now on
      /cost        show the tokens that this
                   conversation has used
      /model-view  also show each result as
                   the model receives it, or
                   stop doing so
      /attach      attach the current
                   content of FILE to the
                   next message
      /undo        undo the last turn; it
                   stays in the store
      /compact     stop sending the results
                   of earlier turns to the
                   model
      /clear       begin a new conversation
                   on an empty screen; this
                   one stays
      /help        show this list
      /exit        end the chat; exit, quit
                   and Ctrl-D do the same"
  `)
})

test('without a terminal no line is wrapped', () => {
  expect(listCommands({ style, columns: Infinity })).toBe(listCommands({ style, columns: 80 }))
})

const stored = (...events: readonly ConversationEvent[]): readonly StoredEvent[] =>
  events.map((event, index) => ({ seq: index + 1, at: '2026-01-01T00:00:00.000Z', event }))

const turn = { type: 'turn_start', turn: 1 } as const

const assistantMessage = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) =>
  ({
    type: 'assistant_message',
    content: [],
    model: 'm',
    usage: { inputTokens, outputTokens, cachedInputTokens },
  }) as const

test('the tokens of all messages and of the last turn are shown, also those of undone turns', () => {
  const events = stored(
    turn,
    assistantMessage(1000, 20),
    { type: 'rewind', to: 0 },
    turn,
    assistantMessage(1200, 7, 1000),
  )
  expect(describeCost(events)).toEqual([
    'This conversation: 2,200 tokens in (1,000 cached), 27 out.',
    'The last turn: 1,200 tokens in (1,000 cached), 7 out.',
    'The cost is unknown, because [prices] in your config.toml is missing.',
  ])
})

test('with prices the cost is told', () => {
  const prices = { 'm*': { input: 1000 } }
  expect(
    describeCost(stored(turn, assistantMessage(1500, 1), turn, assistantMessage(500, 1)), prices),
  ).toEqual([
    'This conversation: 2,000 tokens in, 2 out, cost 2.00.',
    'The last turn: 500 tokens in, 1 out, cost 0.5000.',
  ])
})

test('the tokens of agents, and the number of messages without usage, are shown', () => {
  const result = {
    type: 'tool_result',
    result: { content: [], isError: false, metadata: { agent: 'a', tokens: 500 } },
  } as const
  const silent = { type: 'assistant_message', content: [] } as const
  expect(describeCost(stored(turn, assistantMessage(1, 1), result, silent))).toEqual([
    'This conversation: 1 tokens in, 1 out.',
    'The last turn: 1 tokens in, 1 out.',
    'Its agents used 500 tokens more.',
    'The model reported no tokens for 1 of its 2 messages.',
    'The cost is unknown, because [prices] in your config.toml is missing.',
  ])
  expect(describeCost(stored(turn, silent))).toEqual(['The model has not reported any tokens yet.'])
})
