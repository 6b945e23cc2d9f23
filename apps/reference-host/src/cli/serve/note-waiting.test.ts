import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { expect, test } from 'vitest'
import { createContext } from './command-context.support.ts'
import { noteWaiting } from './note-waiting.ts'

const question = {
  id: 'k3f9x2ab',
  call: { id: 'c', name: 'call_tool', arguments: { name: 'delete\nall' } },
  client: { name: 'host\u001B[31m' },
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields that are read
} as unknown as PendingQuestion

test('each call that waits is named in one line, with the command or the page that answers it', () => {
  const { context, readStderr } = createContext({})
  const notified: string[] = []
  const waiting = { expireMs: () => 5, notify: ({ id }: PendingQuestion) => void notified.push(id) }
  const noted = noteWaiting(waiting, context)
  expect(noted.expireMs('delete')).toBe(5)
  noted.notify?.(question)
  noteWaiting(undefined, context, (id) => `http://a.example/question?id=${id}`).notify?.(question)
  expect(notified).toEqual(['k3f9x2ab'])
  const lines = readStderr().trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(
    /^delete.all, called by host.*, waits for a person: .*questions answer k3f9x2ab$/,
  )
  expect(lines[1]).toMatch(/waits for a person: http:\/\/a\.example\/question\?id=k3f9x2ab$/)
  expect(readStderr()).not.toContain('\u001B[31m')
})
