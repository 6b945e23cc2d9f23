use std::{thread, time::Duration};

/// One blink: on, then off.
fn blink() {
    print!("\u{25cf} ");
    thread::sleep(Duration::from_millis(500));
}

fn main() {
    for _ in 0..10 {
        blink();
    }
}
