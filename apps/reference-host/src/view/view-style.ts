/** What the pages of a conversation have besides the style of results. */
export const VIEW_STYLE = `
main{max-width:96rem}
.tb-nav{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;justify-content:space-between;padding:.5rem 1rem;border-bottom:1px solid var(--tb-line);position:sticky;top:0;background:var(--tb-back);z-index:1}
.tb-nav form{display:flex;gap:.4rem}.tb-nav input{max-width:45vw}
.tb-skip{position:absolute;left:-99rem}.tb-skip:focus{position:static}
.tb-list{list-style:none;padding:0}.tb-list li{padding:.45rem 0;border-bottom:1px solid var(--tb-line)}
tb-timeline{display:block}
.tb-event{padding:.5rem .75rem;margin:.5rem 0;border:1px solid var(--tb-line);border-left-width:4px;border-radius:6px;scroll-margin-top:4rem}
.tb-inner{padding:.4rem .6rem;margin:.4rem 0;border-left:4px solid var(--tb-line)}.tb-inner header{display:flex;flex-wrap:wrap;gap:.5rem;align-items:baseline}.tb-inner time{color:var(--tb-dim);font-size:.85rem;margin-left:auto}.tb-led{margin-top:.5rem}.tb-led>summary{cursor:pointer;font-weight:600}
.tb-event header{display:flex;flex-wrap:wrap;gap:.5rem;align-items:baseline;margin-bottom:.2rem}
.tb-event time,.tb-seq{color:var(--tb-dim);font-size:.85rem}.tb-event time{margin-left:auto}
.tb-title{font-weight:600;color:var(--tb-blue)}
.tb-is-user_message{border-left-color:var(--tb-blue)}.tb-is-assistant_message{border-left-color:var(--tb-violet)}.tb-is-question,.tb-is-answer{border-left-color:var(--tb-yellow)}.tb-is-tool_result{border-left-color:var(--tb-green)}
.tb-is-user_message pre{font:inherit}
.tb-event.tb-is-delivery{border:0;margin:0;padding:0 .75rem;font-size:.85rem}
.tb-event.tb-error{border-left-color:var(--tb-red)}
.tb-event.tb-is-turn_start{border:0;border-top:2px solid var(--tb-line);border-radius:0;margin-top:1.5rem}
.tb-event.tb-undone{border-style:dashed;background:var(--tb-soft)}
.tb-event.tb-here{outline:2px solid var(--tb-link)}
.tb-both{display:grid;gap:1rem;grid-template-columns:minmax(0,1fr)}
.tb-model{border-left:3px solid var(--tb-line);padding-left:.75rem}
.tb-marks{padding-left:1.1rem;margin:.25rem 0}
.tb-mark{border:1px solid var(--tb-yellow);color:var(--tb-yellow);border-radius:4px;padding:0 .3rem;font-size:.85rem}
kbd{border:1px solid var(--tb-line);border-radius:4px;padding:0 .3rem}
.tb-ready .tb-pages{display:none}
@media(min-width:64rem){.tb-both{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}}
@media(max-width:40rem){.tb-keys{display:none}.tb-event{padding:.4rem .5rem}.tb-event header{gap:.35rem}.tb-event time,.tb-event header .tb-facts{font-size:.75rem}}
`.replaceAll('\n', '')
