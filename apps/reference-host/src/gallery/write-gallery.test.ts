import { createImageWriter } from '@toolblocks/renderer/images'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { expect, test } from 'vitest'
import { writeGallery } from './write-gallery.ts'

const readers = await loadContentReaders()

test.for([40, 80, 120])('the gallery is shown in %i columns', async (columns) => {
  const shown = writeGallery({ columns, readers })
  await expect(`${shown}\n`).toMatchFileSnapshot(`golden/gallery-${columns}.txt`)
})

test('the gallery is shown in colours, with links and pictures', async () => {
  const images = createImageWriter('blocks')
  const shown = writeGallery({ columns: 80, readers, colors: 'ansi', links: 'osc8', images })
  const visible = shown.replaceAll('\u001B', '␛')
  await expect(`${visible}\n`).toMatchFileSnapshot('golden/gallery-80-colors.txt')
})
