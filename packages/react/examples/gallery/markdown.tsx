import type { TextValue, ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import type { ReactElement } from 'react'

const NOTICE: TextValue = {
  kind: 'text',
  mimeType: 'text/markdown',
  data: {
    content: `## Notice to mariners

The light at the **east pier** is out. See the [chart](https://example.com/chart).

1. Keep south of the buoy.
2. Call \`channel 12\`.

- [x] Lamp ordered
- [ ] Lamp replaced

> Expect swell after a storm.

---

| light | period |
| ----- | -----: |
| east  |    4 s |
| west  |   10 s |
`,
  },
}
const RESULT: Result = { content: [], structuredContent: NOTICE, isError: false }

// Loads `marked`, `lowlight` and the grammars, once for the page. Without readers, the text is shown unchanged.
const readers = await loadContentReaders()

export function Markdown(): ReactElement {
  return <ToolResult result={RESULT} readers={readers} />
}
