import { expect, test } from 'vitest'
import { endService } from './end-service.ts'

test('a service ends its clients, its calls, its record and its connections, one after the other', async () => {
  const told: string[] = []
  const slowly = (what: string) => async (): Promise<void> => {
    told.push(`${what}…`)
    await new Promise(setImmediate)
    told.push(what)
  }
  await endService({
    clients: { close: slowly('clients') },
    created: { close: slowly('calls'), settled: slowly('results') },
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
    'record',
    'connections',
    'shared connections',
  ]
  expect(told).toEqual(parts.flatMap((part) => [`${part}…`, part]))
})
