import { connectEntrance } from './entrance.ts'
import { connectKeys } from './keys.ts'
import { connectTimeline } from './timeline.ts'

const entrance = document.querySelector('tb-entrance')
if (entrance) void connectEntrance(entrance)
// The token does not stay in the history, also where a cookie lets in already.
else if (location.hash.startsWith('#t='))
  history.replaceState(null, '', location.pathname + location.search)
const timeline = document.querySelector<HTMLElement>('tb-timeline')
connectKeys(timeline ? connectTimeline(timeline) : undefined)
