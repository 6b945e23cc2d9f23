import type { ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'

const RESULT: Result = {
  content: [
    {
      type: 'resource',
      resource: {
        uri: 'file:///harbour/book.csv',
        mimeType: 'text/csv',
        text: 'berth,boat\n1,Ada\n3,Heron\n',
      },
    },
    { type: 'resource', resource: { uri: 'file:///harbour/log.txt', text: '' } },
    {
      type: 'resource',
      resource: {
        uri: 'file:///harbour/charts.zip',
        mimeType: 'application/zip',
        blob: 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
      },
    },
    {
      type: 'resource_link',
      uri: 'https://example.com/tides',
      name: 'tides',
      title: 'Tides of May',
      mimeType: 'text/html',
    },
  ],
  isError: false,
}

export function ResourcesAndLinks(): ReactElement {
  return <ToolResult result={RESULT} root="/harbour" />
}
