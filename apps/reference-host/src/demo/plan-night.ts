import { defineTool, runTools, structured } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

/** A tool of the demo written with the SDK: one definition describes the arguments and gives them their types. */
const planNight = defineTool({
  name: 'plan_night',
  summary: 'Plan the times at which the lamp blinks.',
  annotations: { readOnlyHint: true },
  inputSchema: Type.Object({
    blinks: Type.Integer({ minimum: 1, maximum: 20, description: 'How often.' }),
    pause_ms: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Between two; 500 if absent.' }),
    ),
  }),
  run({ blinks, pause_ms: pause = 500 }) {
    const starts = Array.from({ length: blinks }, (_, index) => index * pause)
    const data = { lamp: 'Bell Rock', pause_ms: pause, blinks_at_ms: starts }
    const summary = `${blinks} blinks; the last after ${starts.at(-1)} ms.`
    return structured(
      { kind: 'lighthouse.night', data, summary, display: { preferredView: 'tree' } },
      summary,
    )
  },
})

await runTools([planNight])
