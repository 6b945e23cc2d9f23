import { expect, test } from 'vitest'
import type { ModelEvent } from './model.ts'
import { openModel } from './open-model.ts'

test('the scripted model says what it is however often it is asked', async () => {
  const opened = await openModel({ provider: 'scripted' }, { environment: {}, format: {} })
  if (!opened.ok) throw new Error(opened.message)
  const { signal } = new AbortController()
  for (const _ of [1, 2]) {
    const events: ModelEvent[] = []
    for await (const event of opened.model({ messages: [], tools: [] }, signal)) events.push(event)
    expect(events[0]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('I am a script'),
    })
  }
})
