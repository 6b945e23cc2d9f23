import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, printing, result, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'
import { readPage, startView } from '../stage/view.ts'

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const words = (text: string): object => ({ type: 'text', text })

test.for([
  ['nothing', result([words('')])],
  ['picture', result([{ type: 'image', data: PICTURE, mimeType: 'image/png' }])],
])(
  'promise view: of %s, what stands beside a result and in --model-view is what the provider was sent',
  async ([, printed = '']) => {
    const model = await startProvider([{ calls: [['tell', {}]] }, { text: 'Done.' }])
    const folder = makeFolder({
      'tell.json': printed,
      'toolblocks.toml': `${model.settings}[store]\nurl = "sqlite:kept.db"\n${tool('tell', printing('tell.json'))}`,
    })
    await toolblocks(folder, 'run', 'Tell.')
    const id = readRows(`${folder}/kept.db`)[0]?.conversation ?? ''
    const { address } = await startView(folder, id)
    const page = await readPage(address)
    const [, beside = ''] =
      /aria-label="Text for the model"[^>]*><pre>(.*?)<\/pre>/s.exec(page) ?? []
    expect([beside.replaceAll('&#39;', "'")]).toEqual(model.results())
  },
)
