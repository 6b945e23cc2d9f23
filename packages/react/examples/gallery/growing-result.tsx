import type { ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import { type ReactElement, useEffect, useState } from 'react'

const STEPS = ['Measuring the depth.', 'berth 1: 2.5 m', 'berth 2: 3.5 m', 'berth 3: 4.5 m']

/** Each time more output arrives, the host renders the result again. */
export function GrowingResult(): ReactElement {
  const [count, setCount] = useState(1)
  const [isRunning, setIsRunning] = useState(false)
  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(() => {
      setCount(count + 1)
      setIsRunning(count + 1 < STEPS.length)
    }, 600)
    return () => clearTimeout(timer)
  }, [count, isRunning])

  const text = STEPS.slice(0, count).join('\n')
  const result: Result = { content: [{ type: 'text', text }], isError: false }
  return (
    <div className="tb">
      <ToolResult result={result} />
      <button
        type="button"
        disabled={isRunning}
        onClick={() => {
          setCount(1)
          setIsRunning(true)
        }}
      >
        Measure
      </button>
    </div>
  )
}
