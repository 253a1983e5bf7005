use claim_check_guest::{
    Intake, PageRange, Policy, Scope, Settings, StoreError, WindowReading, neutralise, read_with, receive, truncate,
};

use crate::input::{Input, characters, count};

/// Head and tail are word for word, the counts add up, windows laid end to end are the text, and a cut keeps its budget.
pub fn check_in(data: &[u8]) {
    let mut input = Input(data);
    let (head_chars, tail_chars, more) = (input.number() % 700, input.number() % 300, u32::from(input.byte()) + 1);
    let (neutral, times, size) = (input.byte() & 1 == 1, usize::from(input.byte() % 8) + 1, input.number().max(200));
    let content = input.text().repeat(times);
    let scope = Scope::new("tenant", "run");

    let policy = Policy { threshold_chars: head_chars + tail_chars + more, head_chars, tail_chars, ttl_seconds: 60 };
    let settings = Settings { policy, neutralise: neutral, ..Settings::default() };
    let carried = if neutral { neutralise(&content).unwrap_or(content.clone()) } else { content.clone() };
    let total = count(&carried);
    match receive(&settings, &scope, "tool", &content).expect("settings and scope are valid") {
        Intake::AsItIs => assert!(carried == content && total <= policy.threshold_chars),
        Intake::Neutralised(text) => assert!(text == carried && carried != content && total <= policy.threshold_chars),
        Intake::Deposit(deposit) => {
            assert!(total > policy.threshold_chars);
            let manifest = deposit.manifest().to_owned();
            let pages: Vec<String> = deposit.pages().into_iter().map(str::to_owned).collect();
            assert_eq!(pages.concat(), carried);
            let ticket = deposit.into_ticket();
            let (head, tail) = (&ticket.head, &ticket.tail);
            assert!(carried.starts_with(head) && count(head) <= head_chars && head.trim_end() == head);
            assert!(carried.trim_end().ends_with(tail) && count(tail) <= tail_chars);
            let hidden = total - count(head) - count(tail);
            assert!(ticket.notice.starts_with(&format!("[{total} characters, {hidden} not shown. ")));
            assert!(
                ticket.rendered.contains(&ticket.notice)
                    && ticket.rendered.starts_with(head)
                    && ticket.rendered.ends_with(tail)
            );

            let mut read = String::new();
            let mut next = Some(0);
            while let Some(offset) = next {
                let reading = WindowReading::new(&scope, &ticket.handle, offset, size).expect("a handle of our own");
                let window = read_with(reading, |_, PageRange { first, count }| {
                    let range = pages.iter().skip(first as usize).take(count as usize);
                    Ok::<_, StoreError>((manifest.clone(), range.collect::<Vec<_>>()))
                });
                let window = window.expect("an honest store");
                read.push_str(&window.text);
                next = window.next_offset;
            }
            assert_eq!(read, carried);
        }
    }
    if let Some(cut) = truncate(&content, size) {
        let all = count(&content);
        let head = cut.rsplit_once("\n\n").map_or("", |(head, _)| head);
        assert!(all > size && count(&cut) <= size && content.starts_with(head));
        assert_eq!(characters(&content, 0, count(head) as usize), head);
        assert!(cut.ends_with(&format!("[{all} characters, cut after {}. The rest was not kept.]", count(head))));
    } else {
        assert!(count(&content) <= size);
    }
}
