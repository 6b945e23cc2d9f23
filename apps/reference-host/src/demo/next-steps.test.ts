import { createTerminalStyle } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import { tellNextSteps } from './next-steps.ts'

const style = createTerminalStyle('none')

test('steps stand side by side where all have room', () => {
  const asked = { command: 'toolblocks', modelView: false, kept: undefined }
  expect(tellNextSteps(asked, { style, columns: 80 })).toEqual([
    '  toolblocks demo --model-view   what the model receives',
    '  toolblocks demo --keep         keeps its tools and its stored conversation',
    '  toolblocks demo --output json  the stored events',
    '  toolblocks init                your own tools, in any language',
  ])
})

test('else below each other, and the workspace that stays is reached from where the demo was started', () => {
  const asked = { command: 'npx toolblocks', modelView: true, kept: '/tmp/demo' }
  expect(tellNextSteps(asked, { style, columns: 60 }).slice(0, 2)).toEqual([
    '  npx toolblocks tools --config /tmp/demo/toolblocks.toml\n    the tools of the demo',
    '  npx toolblocks call list_files --config /tmp/demo/toolblocks.toml\n    call one yourself',
  ])
})
