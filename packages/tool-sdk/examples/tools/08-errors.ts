// Errors: a failure that the tool expects, one that may go away, and one that the tool throws.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { defineTool, failure, runTools } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

interface Rates {
  readonly [currency: string]: number
}

async function readRates(root: string): Promise<Rates> {
  try {
    const rates: Rates = JSON.parse(await readFile(join(root, 'rates.json'), 'utf8'))
    return rates
  } catch (cause) {
    throw new Error('The rates cannot be read. Write rates.json anew.', { cause })
  }
}

const convert = defineTool({
  name: 'convert',
  summary: 'Convert euros to another currency.',
  inputSchema: Type.Object({
    euros: Type.Number(),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  }),
  async run({ euros, currency }, { root }) {
    const isLocked = await readFile(join(root, 'rates.lock')).then(
      () => true,
      () => false,
    )
    if (isLocked)
      return failure('The rates are being updated. Try again in a minute.', { transient: true })
    // What is thrown becomes an error result with its message; the messages of its causes are in the trace.
    const rate = (await readRates(root))[currency]
    if (rate === undefined)
      return failure(`There is no rate for ${currency}. Use another currency.`)
    return `${(euros * rate).toFixed(2)} ${currency}`
  },
})

const unlock = defineTool({
  name: 'unlock',
  summary: 'Remove the lock of the rates.',
  async run(_args, { root }) {
    await rm(join(root, 'rates.lock'))
    return 'The lock is removed.'
  },
})

await runTools([convert, unlock])
