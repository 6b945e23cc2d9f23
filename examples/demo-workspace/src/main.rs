use std::{thread, time::Duration};

/// One blink: on, then off.
fn blink() {
    print!("\u{25cf} ");
    thread::sleep(Duration::from_millis(500));
}

/// Waits for the night.
fn wait_for_dusk() {
    println!("it is dark now");
}

fn main() {
    wait_for_dusk();
    for _ in 0..10 {
        blink();
    }
}
