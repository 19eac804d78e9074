//! Uses a generated client (README.md). Jana creates an event, Petr joins it, and Eva joins the waitlist, because the
//! event is full. Petr finds the event, Jana changes it, and Petr leaves it.
//! BASE_URL: the server. TOKENS: three tokens with write access, separated by commas.
use events::apis::{configuration::Configuration, discover_api, events_api, joining_api, participants_api, token_owner_api, Error};
use events::models::{CreateEvent, JoinEvent, JoinMode, UpdateEvent};
use std::convert::TryInto;

fn as_person(token: &str) -> Configuration {
    Configuration {
        base_path: std::env::var("BASE_URL").expect("BASE_URL"),
        bearer_access_token: Some(token.to_owned()),
        ..Configuration::default()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let tokens = std::env::var("TOKENS").expect("TOKENS");
    let [jana, petr, eva]: [Configuration; 3] = tokens.split(',').map(as_person).collect::<Vec<_>>().try_into().ok().expect("three tokens");

    let me = token_owner_api::get_user(&jana).await.expect("user").data;
    let mut new_event = CreateEvent::new("Tea at five".into(), "2035-05-01T16:00:00Z".into());
    new_event.max_participants = Some(2);
    new_event.join_mode = Some(JoinMode::Password);
    new_event.join_password = Some("earl-grey".into());
    let event = events_api::create_event(&jana, new_event, Some("a key of this story")).await.expect("created").data;
    let id = event.id.as_str();

    let join = || Some(JoinEvent { password: Some("earl-grey".into()), ..JoinEvent::new() });
    joining_api::join_event(&petr, id, None, join()).await.expect("joined");
    match joining_api::join_event(&eva, id, None, join()).await {
        Err(Error::ResponseError(refusal)) => println!("refused {} {}", refusal.status.as_u16(), refusal.content),
        other => panic!("not full: {other:?}"),
    }
    joining_api::join_event_waitlist(&eva, id, None).await.expect("waiting");

    let found = discover_api::discover_events(&petr, None, None, Some("Tea at five"), None, None, None, None, None, None, None, None, None).await.expect("found");
    let people = participants_api::list_event_participants(&jana, id, None, None, None).await.expect("people");
    let changed = events_api::update_event(&jana, id, None, None, Some(UpdateEvent { title: Some("Tea at six".into()), ..UpdateEvent::new() })).await.expect("changed").data;
    joining_api::leave_event(&petr, id, None).await.expect("left");
    println!("{} found {}, {} people, now {:?}", me.slug, found.data.len(), people.meta.total, changed.title);
}
