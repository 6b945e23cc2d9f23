/**
 * Gets the id of a call, and its wait for a person: for its turn to ask, and for what is decided or answered then. A host that
 * shows how long tools work leaves this time out. Should give what `wait` gives; several waits of a call may overlap.
 */
export type AroundWait = <Value>(call: string, wait: () => Promise<Value>) => Promise<Value>
