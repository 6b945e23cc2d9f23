import { defineTool, runTools, value } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

/** A tool of the demo that is written with the SDK: one definition says what it takes, and types what it gets. */
const planNight = defineTool({
  name: 'plan_night',
  summary: 'Plan when the lamp blinks.',
  annotations: { readOnlyHint: true },
  arguments: Type.Object({
    blinks: Type.Integer({ minimum: 1, maximum: 20, description: 'How often.' }),
    pause_ms: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Between two; 500 if absent.' }),
    ),
  }),
  run({ arguments: { blinks, pause_ms: pause = 500 } }) {
    const rows = Array.from({ length: blinks }, (_, index) => ({
      blink: index + 1,
      at_ms: index * pause,
    }))
    const columns = [
      { key: 'blink', header: 'blink' },
      { key: 'at_ms', header: 'after, ms' },
    ]
    const end = (blinks - 1) * pause
    return value(
      { kind: 'table', data: { columns, rows } },
      `${blinks} blinks; the last after ${end} ms.`,
    )
  },
})

await runTools([planNight])
