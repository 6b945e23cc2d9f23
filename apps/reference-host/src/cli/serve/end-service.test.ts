import { expect, test } from 'vitest'
import { endService } from './end-service.ts'

test('a service ends its clients, its calls, its record and its connections, one after the other', async () => {
  const log: string[] = []
  const slowly = (what: string) => async (): Promise<void> => {
    log.push(`${what}…`)
    await new Promise(setImmediate)
    log.push(what)
  }
  await endService({
    clients: { close: slowly('clients') },
    created: { close: slowly('calls'), settled: slowly('results') },
    kept: { close: slowly('waiting calls') },
    record: { close: slowly('record') },
    opened: { close: slowly('connections') },
    shared: { close: slowly('shared connections') },
  })
  const parts = [
    'clients',
    'calls',
    // A call that ends begins the end of the calls that it has made.
    'results',
    'results',
    'waiting calls',
    'record',
    'connections',
    'shared connections',
  ]
  expect(log).toEqual(parts.flatMap((part) => [`${part}…`, part]))
})
