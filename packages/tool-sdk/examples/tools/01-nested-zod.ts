// Nested arguments with Zod: objects, lists, a union of objects, a default and a transformation.
import { defineTool, runTools } from '@toolblocks/tool-sdk'
import * as z from 'zod'

const shipment = z.discriminatedUnion('by', [
  z.object({ by: z.literal('post'), tracked: z.boolean().default(true) }),
  z.object({ by: z.literal('courier'), window: z.tuple([z.int(), z.int()]) }),
])

const planOrder = defineTool({
  name: 'plan_order',
  summary: 'Compute the price of an order.',
  inputSchema: z.object({
    customer: z.object({
      name: z.string().trim().min(1),
      country: z.string().length(2).toUpperCase().describe('ISO 3166, such as DE.'),
    }),
    lines: z
      .array(
        // A nested object refuses unknown properties only where it says so.
        z.strictObject({
          article: z.string(),
          count: z.int().min(1).default(1),
          cents: z.int().nonnegative(),
        }),
      )
      .min(1),
    shipment: shipment.default({ by: 'post', tracked: true }),
  }),
  examples: [
    { customer: { name: 'Ada', country: 'GB' }, lines: [{ article: 'lamp', cents: 1200 }] },
  ],
  annotations: { readOnlyHint: true },
  run({ customer, lines, shipment: chosen }) {
    const goods = lines.reduce((sum, { count, cents }) => sum + count * cents, 0)
    const freight = chosen.by === 'courier' ? 1500 : chosen.tracked ? 500 : 300
    const how = chosen.by === 'courier' ? `courier, ${chosen.window.join(' to ')} h` : 'post'
    return `${customer.name} (${customer.country}) pays ${goods + freight} cents, by ${how}.`
  },
})

await runTools([planOrder])
