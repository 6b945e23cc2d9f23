import { connectEntrance } from './entrance.ts'
import { connectKeys } from './keys.ts'
import { connectTimeline } from './timeline.ts'

const entrance = document.querySelector('tb-entrance')
if (entrance) void connectEntrance(entrance)
const timeline = document.querySelector<HTMLElement>('tb-timeline')
connectKeys(timeline ? connectTimeline(timeline) : undefined)
